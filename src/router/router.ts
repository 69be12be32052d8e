import { Hono } from 'hono';
import type { Failure } from '../contract/failure.ts';
import { answerEmbed } from './embed.ts';
import { answerExplain } from './explain.ts';
import { answerModelSettings } from './model-settings.ts';
import { openApiDocument } from './openapi.ts';
import { respondFailure } from './respond.ts';
import type { Setting } from './setting.ts';

/** Operations of the contract that answer 501 until they are built. */
const PLANNED = ['/batch_semantic_embed', '/semantic_embed', '/qa', '/models_available', '/version'];

/** Answers requests of the contract. */
export interface Router {
  /** As `fetch`: resolves with an answer whatever its status, rejects only when the request's signal is aborted. */
  fetch(request: Request): Promise<Response>;
}

/** A router over the page's scheduler. */
export function createRouter(setting: Setting): Router {
  const app = new Hono();
  app.get('/openapi.json', () => Response.json(openApiDocument()));
  app.use(async ({ req }, next) => (isAuthorized(req.raw, setting) ? next() : respondFailure(unauthorized)));
  app.post('/embed', ({ req }) => answerEmbed(req.raw, setting));
  app.post('/explain', ({ req }) => answerExplain(req.raw, setting));
  app.get('/model-settings', () => answerModelSettings(setting));
  for (const path of PLANNED) app.all(path, () => respondFailure(notImplemented(path)));
  for (const path of ['/embed', '/explain', '/model-settings'])
    app.all(path, ({ req }) => respondFailure(wrongMethod(path, req.method)));
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

function notImplemented(path: string): Failure {
  return { code: 'NOT_IMPLEMENTED', message: `${path}: this operation is not built yet` };
}

function wrongMethod(path: string, method: string): Failure {
  const expected = path === '/model-settings' ? 'GET' : 'POST';
  return { code: 'METHOD_NOT_ALLOWED', message: `${path}: expected ${expected}, got ${method}` };
}

function notFound(path: string): Failure {
  return { code: 'NOT_FOUND', message: `${path}: expected an operation of /openapi.json, got an unknown path` };
}
