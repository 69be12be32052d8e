import { Hono } from 'hono';
import { openApiDocument } from '../contract/description/openapi.ts';
import { VERSION } from '../contract/description/version.ts';
import type { Failure } from '../contract/failure.ts';
import type { Operation } from './operation.ts';
import { chat } from './operations/writing/chat.ts';
import { complete } from './operations/writing/complete.ts';
import { embed } from './operations/embed.ts';
import { evaluate } from './operations/evaluate.ts';
import { explain } from './operations/explain.ts';
import { lens } from './operations/lens.ts';
import { modelSettings, modelsAvailable } from './operations/model-listings.ts';
import { predict } from './operations/predict.ts';
import { qa } from './operations/qa.ts';
import { batchSemanticEmbed, semanticEmbed } from './operations/semantic-embed.ts';
import { respondFailure } from './response/respond.ts';
import type { RouterOptions } from './router-options.ts';

/** Answers requests of the contract. */
export interface Router {
  /** As `fetch`: resolves with an answer whatever its status, rejects only when the request's signal is aborted. */
  fetch(request: Request): Promise<Response>;
}

/** The operations that run a model. */
export const OPERATIONS: readonly Operation[] = [
  ...[embed, semanticEmbed, batchSemanticEmbed],
  ...[explain, evaluate, complete, chat, predict, lens, qa],
];

interface Route {
  readonly method: 'GET' | 'POST';
  /** Answered without a token: it says nothing about this page. */
  readonly isOpen?: boolean;
  answer(request: Request, options: RouterOptions): Response | Promise<Response>;
}

const ROUTES: Readonly<Record<string, Route>> = {
  ...Object.fromEntries(OPERATIONS.map(({ path, answer }) => [path, { method: 'POST' as const, answer }])),
  '/model-settings': { method: 'GET', answer: (_, options) => modelSettings(options) },
  '/models_available': { method: 'GET', answer: (_, options) => modelsAvailable(options) },
  // Older clients of the service ask for it before they send their token.
  '/version': { method: 'GET', isOpen: true, answer: () => new Response(VERSION) },
  '/openapi.json': { method: 'GET', isOpen: true, answer: () => Response.json(openApiDocument()) },
};

/** A router over the page's scheduler. */
export function createRouter(options: RouterOptions): Router {
  const app = new Hono();
  app.use(async ({ req }, next) => {
    const isOpen = ROUTES[req.path]?.isOpen === true;
    return isOpen || isAuthorized(req.raw, options) ? next() : respondFailure(unauthorized);
  });
  for (const [path, { method, answer }] of Object.entries(ROUTES)) {
    app.on(method, path, ({ req }) => answer(req.raw, options));
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

function isAuthorized(request: Request, { token }: RouterOptions): boolean {
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
