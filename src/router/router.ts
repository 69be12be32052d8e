import { Hono } from 'hono';
import type { Failure } from '../contract/failure.ts';
import { VERSION } from '../contract/version.ts';
import { answerEmbed } from './operations/embed.ts';
import { answerEvaluate } from './operations/evaluate.ts';
import { answerExplain } from './operations/explain.ts';
import { answerModelSettings } from './operations/model-settings.ts';
import { answerModelsAvailable } from './operations/models-available.ts';
import { openApiDocument } from './operations/openapi.ts';
import { answerQa } from './operations/qa.ts';
import { respondFailure } from './response/respond.ts';
import { answerBatchSemanticEmbed, answerSemanticEmbed } from './operations/semantic-embed.ts';
import type { Setting } from './setting.ts';

/** Answers requests of the contract. */
export interface Router {
  /** As `fetch`: resolves with an answer whatever its status, rejects only when the request's signal is aborted. */
  fetch(request: Request): Promise<Response>;
}

interface Operation {
  readonly method: 'GET' | 'POST';
  /** Answered without a token: it says nothing about this page. */
  readonly isOpen?: boolean;
  answer(request: Request, setting: Setting): Response | Promise<Response>;
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  '/embed': { method: 'POST', answer: answerEmbed },
  '/semantic_embed': { method: 'POST', answer: answerSemanticEmbed },
  '/batch_semantic_embed': { method: 'POST', answer: answerBatchSemanticEmbed },
  '/explain': { method: 'POST', answer: answerExplain },
  '/evaluate': { method: 'POST', answer: answerEvaluate },
  '/qa': { method: 'POST', answer: answerQa },
  '/model-settings': { method: 'GET', answer: (_, setting) => answerModelSettings(setting) },
  '/models_available': { method: 'GET', answer: (_, setting) => answerModelsAvailable(setting) },
  // Older clients of the service ask for it before they send their token.
  '/version': { method: 'GET', isOpen: true, answer: () => new Response(VERSION) },
  '/openapi.json': { method: 'GET', isOpen: true, answer: () => Response.json(openApiDocument()) },
};

/** A router over the page's scheduler. */
export function createRouter(setting: Setting): Router {
  const app = new Hono();
  app.use(async ({ req }, next) => {
    const isOpen = OPERATIONS[req.path]?.isOpen === true;
    return isOpen || isAuthorized(req.raw, setting) ? next() : respondFailure(unauthorized);
  });
  for (const [path, { method, answer }] of Object.entries(OPERATIONS)) {
    app.on(method, path, ({ req }) => answer(req.raw, setting));
    app.all(path, ({ req }) => wrongMethod(path, method, req.method));
  }
  app.notFound(({ req }) => respondFailure(notFound(req.path)));
  app.onError((error) => respondFailure({ code: 'INTERNAL', message: `${error.name}: ${error.message}` }));
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

function isAuthorized(request: Request, { token }: Setting): boolean {
  return request.headers.get('Authorization') === `Bearer ${token()}`;
}

/** @source RFC 9110 §15.5.6: the answer names what is allowed */
function wrongMethod(path: string, expected: string, got: string): Response {
  const message = `${path}: expected ${expected}, got ${got}`;
  const response = respondFailure({ code: 'METHOD_NOT_ALLOWED', message });
  response.headers.set('Allow', expected);
  return response;
}

function notFound(path: string): Failure {
  return { code: 'NOT_FOUND', message: `${path}: expected an operation of /openapi.json, got an unknown path` };
}
