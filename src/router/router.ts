import { Hono } from 'hono/tiny';
import { openApiDocument } from '../contract/description/openapi.ts';
import { OPENAI_DOCS } from '../contract/description/operation-docs.ts';
import { VERSION } from '../contract/description/version.ts';
import { type Failure, FailureError } from '../contract/failure.ts';
import { shown, shownNames } from '../contract/shown.ts';
import { ownValue } from '../contract/records.ts';
import { chatOperations, completionsOperation } from './operations/openai.ts';
import { completeOperations } from './operations/complete.ts';
import { embedOperations } from './operations/embed.ts';
import { explainOperation } from './operations/explain.ts';
import { likelihoodOperations } from './operations/likelihood.ts';
import type { AvailableModel, ModelSettings } from '../contract/models.ts';
import type { OpenAiModel } from '../contract/openai.ts';
import type { Capability, Model } from '../models/model.ts';
import { tokenizeOperations } from './operations/tokenize.ts';
import { qaOperation } from './operations/qa.ts';
import { steeringOperations } from './operations/steering.ts';
import { respondFailure } from './response/respond.ts';
import { chosenModel, type RouterOptions } from './request/model-choice.ts';
import type { Catalogue } from '../models/catalogue.ts';
import { NAMED_USES, type ServiceSettings } from '../contract/settings.ts';
import { isCapable, modelNamed, type ModelUse } from '../models/default-model.ts';

/** Answers requests of the contract. */
export interface Router {
  /** As `fetch`: resolves with an answer whatever its status, rejects only when the request's signal is aborted. */
  fetch(request: Request): Promise<Response>;
}

interface Route {
  readonly method: 'GET' | 'POST';
  /** Answered without a token: it reveals nothing about this page. */
  readonly isOpen?: boolean;
  /** @param name  the end of a path that ends with a name */
  answer(request: Request, options: RouterOptions, name: string): Response | Promise<Response>;
}

const OPERATIONS = [
  ...embedOperations,
  explainOperation,
  ...likelihoodOperations,
  ...completeOperations,
  completionsOperation,
  ...chatOperations,
  ...tokenizeOperations,
  ...steeringOperations,
  qaOperation,
  { ...explainOperation, path: OPENAI_DOCS.explanations.path },
];

const ROUTES: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(OPERATIONS.map(({ path, answer }) => [path, { method: 'POST' as const, answer }])),
  '/model-settings': {
    method: 'GET',
    answer: (_, options) => Response.json(listed(options).map((model) => settingsOf(model, options.settings()))),
  },
  '/models_available': { method: 'GET', answer: (_, options) => modelsAvailable(options) },
  '/models/:name{.+}/tokenizer': { method: 'GET', answer: (_, options, name) => tokenizerFile(options, name) },
  '/v1/models': {
    method: 'GET',
    answer: (_, options) => Response.json({ object: 'list', data: usableModels(options) }),
  },
  '/v1/models/:name{.+}': { method: 'GET', answer: ({ url }, options, name) => openAiModel(url, options, name) },
  // Older clients of the service ask for it before they send their token.
  '/version': { method: 'GET', isOpen: true, answer: () => new Response(VERSION) },
  '/openapi.json': { method: 'GET', isOpen: true, answer: () => Response.json(openApiDocument()) },
};

/** A router over the page's scheduler. */
export function createRouter(options: RouterOptions): Router {
  const app = new Hono();
  app.use(async ({ req }, next) => {
    const isOpen = ROUTES[req.path]?.isOpen === true;
    return isOpen || req.raw.headers.get('Authorization') === `Bearer ${options.token()}`
      ? next()
      : respondFailure(unauthorized, req.path);
  });
  for (const [path, { method, answer }] of Object.entries(ROUTES)) {
    app.on(method, path, ({ req }) => answer(req.raw, options, req.param('name') ?? ''));
    app.all(path, ({ req }) => wrongMethod(req.path, method, req.method));
  }
  app.notFound(({ req }) => respondFailure(notFound(req.path), req.path));
  app.onError((error, { req }) => {
    const internal = { code: 'INTERNAL', message: `${error.name}: ${error.message}` } as const;
    return respondFailure(error instanceof FailureError ? error.failure : internal, req.path);
  });
  return {
    async fetch(request) {
      request.signal.throwIfAborted();
      const response = await app.fetch(request);
      request.signal.throwIfAborted();
      return response;
    },
  };
}

const unauthorized: Failure = {
  code: 'UNAUTHORIZED',
  message: 'Authorization: expected "Bearer <token>" with this page\'s token, got another or none',
};

/** @source RFC 9110 §15.5.6: the answer names what is allowed */
function wrongMethod(path: string, expected: string, got: string): Response {
  const message = `${path}: expected ${expected}, got ${got}`;
  const response = respondFailure({ code: 'METHOD_NOT_ALLOWED', message }, path);
  response.headers.set('Allow', expected);
  return response;
}

/** Operations of the hosted service that are not served. */
const UNSERVED: Readonly<Record<string, string>> = {
  '/translate': 'one that needs a model for translation, and there is none here',
};

function notFound(path: string): Failure {
  const got = ownValue(UNSERVED, path) ?? 'an unknown path';
  return { code: 'NOT_FOUND', message: `${path}: expected an operation of /openapi.json, got ${got}` };
}

/** The answer of `GET /models/{model}/tokenizer`: the file as the model's folder has it. @throws {FailureError} */
async function tokenizerFile(options: RouterOptions, name: string): Promise<Response> {
  const { fetchFile = fetch, catalogue, modelsKnown } = options;
  if (!catalogue.find(name)) await modelsKnown; // a model that is still being read is not an unknown one
  const { folder, held } = chosenModel({ model: name }, null, options);
  const file = held ? held[TOKENIZER] : await fetchFile(folder + TOKENIZER).catch(() => undefined);
  const isFound = file !== undefined && (!('ok' in file) || file.ok);
  if (!isFound) throw new FailureError('MODEL_UNAVAILABLE', `${TOKENIZER} of ${shown(name)} cannot be read`);
  const headers = { 'Content-Type': 'application/json' };
  return new Response('ok' in file ? file.body : file, { headers });
}

const TOKENIZER = 'tokenizer.json';

/** The models that can be used, by their names. */
function usableModels(options: RouterOptions): readonly OpenAiModel[] {
  const owned_by = options.settings().operator;
  return listed(options)
    .filter(({ tier }) => tier !== 'refused')
    .map(({ name }) => ({ id: name, object: 'model', created: 0, owned_by }));
}

function openAiModel(url: string, options: RouterOptions, name: string): Response {
  const models = usableModels(options);
  const wanted = options.catalogue.find(name)?.name ?? name; // a name may be given with its kind of weights
  const found = models.find(({ id }) => id === wanted);
  if (found) return Response.json(found);
  const message = `model: expected one of ${shownNames(models.map(({ id }) => id))}, got ${shown(name)}`;
  return respondFailure({ code: 'UNKNOWN_MODEL', message }, new URL(url).pathname);
}

function listed({ catalogue, settings }: RouterOptions): readonly Model[] {
  return [...catalogue.models, ...namedAsModels(settings().modelNames, catalogue)];
}

function settingsOf(
  { name, description, contextTokens, capabilities, tier, reason }: Model,
  { calibrations, modelNames }: ServiceSettings,
): ModelSettings {
  const explains = modelNamed(ownValue(modelNames, name) ?? name, 'explain') ?? name; // of an alias, its model
  return {
    name,
    description,
    max_context_size: contextTokens,
    aligned: false,
    semantic_embedding: capabilities.includes('semantic_embed'),
    advanced_sampling: false,
    multimodal: capabilities.includes('images'),
    chat: capabilities.includes('chat'),
    prompt_template: '',
    qa: capabilities.includes('qa'),
    tier: tier ?? 'steered',
    reason: reason ?? null,
    control_factor: (calibrations[name] ?? calibrations[explains])?.factor ?? null,
  };
}

/** Representations that older clients name, with and without compression. @source contract facts §1.7 */
const SEMANTIC_TYPES = [
  'symmetric',
  'symmetric_128',
  'asymmetric_document',
  'asymmetric_128_document',
  'asymmetric_query',
  'asymmetric_128_query',
];

function modelsAvailable(options: RouterOptions): Response {
  const { operator } = options.settings();
  return Response.json(listed(options).map((model) => availableModel(model, operator)));
}

function availableModel({ name, description, contextTokens, capabilities }: Model, operator: string): AvailableModel {
  return {
    name,
    description,
    max_context_size: contextTokens,
    hostings: [operator],
    image_support: capabilities.includes('images'),
    qa_support: capabilities.includes('qa'),
    summarization_support: false,
    embedding_types: embeddingTypes(capabilities),
    maximum_completion_tokens: null,
    aligned: false,
  };
}

/** A model whose states can be pooled, but not compared, has one type, `pooling_only`. */
function embeddingTypes(capabilities: Model['capabilities']): string[] {
  if (capabilities.includes('semantic_embed')) return SEMANTIC_TYPES;
  return capabilities.includes('embed') ? ['pooling_only'] : [];
}

/** The use whose model decides about a capability: the first of these that the alias has. */
const DECIDING_USES: Readonly<Record<Capability, readonly ModelUse[]>> = {
  embed: ['embed'],
  explain: ['explain', 'evaluate', 'predict'],
  likelihood: ['explain', 'complete'],
  complete: ['complete'],
  semantic_embed: ['semantic_embed'],
  qa: ['qa'],
  images: ['explain', 'complete', 'qa'],
  chat: ['complete'],
};

/**
 * Aliases as models that can be listed: each has the capabilities of its models, and the shortest of their contexts. An alias
 * without a model that exists now is left out, and so is the name of a local model.
 */
function namedAsModels(names: ServiceSettings['modelNames'], catalogue: Catalogue): readonly Model[] {
  return Object.entries(names).flatMap(([name, models]) => {
    if (catalogue.find(name)) return [];
    const byUse = new Map<ModelUse, Model>();
    for (const use of NAMED_USES) {
      const model = catalogue.find(modelNamed(models, use) ?? '');
      if (model && isCapable(model, use)) byUse.set(use, model);
    }
    const [first] = byUse.values();
    return first ? [aliasModel(name, first, byUse)] : [];
  });
}

function aliasModel(name: string, first: Model, byUse: ReadonlyMap<ModelUse, Model>): Model {
  const models = [...new Set(byUse.values())];
  const capabilities = (Object.keys(DECIDING_USES) as readonly Capability[]).filter((capability) => {
    const use = DECIDING_USES[capability].find((each) => byUse.has(each));
    return use !== undefined && byUse.get(use)?.capabilities.includes(capability);
  });
  const described = models.map((model) => {
    const uses = [...byUse].filter(([, each]) => each === model).map(([use]) => use);
    return `${model.name} (${uses.join(', ')})`;
  });
  return {
    ...first,
    name,
    capabilities,
    description: `Another name of ${described.join(' and ')}.`,
    contextTokens: Math.min(...models.map(({ contextTokens }) => contextTokens)),
  };
}
