import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createClient } from '../../src/client/client.ts';
import { openApiDocument } from '../../src/contract/description/openapi.ts';
import { VERSION } from '../../src/contract/description/version.ts';
import { hashOfToken } from '../../src/protocol/frames/frames.ts';
import type { ModelStatus, Service } from '../../src/service/service.ts';
import { createBridgeServer, isApi } from '../bridge/bridge-server.ts';
import { residentTab } from '../bridge/resident-tab.ts';
import { sendFailure, sendResponse } from '../bridge/route.ts';
import { refuseRequest } from '../origins.ts';
import { closeServer, createBoundedServer, listenOn, type RunningServer, toOriginForm } from '../serve.ts';
import { createServices, type ServicesOptions } from './model-services.ts';

/** How a server without a page runs. */
export interface HeadlessOptions extends Omit<ServicesOptions, 'onThreadEnd' | 'onModel'> {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** Clients of other machines come through a proxy with TLS, and name it as the host. */
  readonly isBehindProxy?: boolean;
}

/**
 * Serves the contract under `/api` without a page: services of this process answer, as open tabs do. Requests that come while
 * models are loaded wait. `/mcp` serves agents. `/health` needs no token, `/metrics` and `/mcp` need it.
 *
 * @throws as `createServices` and `listenOn` do
 */
export async function startHeadless({ isBehindProxy = false, ...options }: HeadlessOptions): Promise<RunningServer> {
  const { paths } = openApiDocument() as { readonly paths: object };
  const metrics = createMetrics(new Set(Object.keys(paths)));
  const statuses = new Map<number, ModelStatus>();
  const onModel = (worker: number, status: ModelStatus) => void statuses.set(worker, status);
  const services = await createServices({ ...options, onThreadEnd: metrics.threadEnded, onModel });
  const tokenHash = await hashOfToken(options.token);
  const residents = services.map((service) => residentTab(service, tokenHash));
  const bridge = createBridgeServer({ pageUrl: () => url, residents, isBehindProxy });
  const health = watchHealth(services, statuses);
  const server = createBoundedServer((request, response) => {
    const isOwn = toOriginForm(request);
    metrics.observe(request, response);
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (!isOwn) return refuseRequest(response, 421, 'This server answers for itself only');
    if (isApi(path)) return bridge.answer(request, response);
    if (path === '/health') return sendJson(response, health());
    if (path === '/metrics' || path === '/mcp') return void answerAuthorized(path, request, response);
    return refuseRequest(response, 404, 'Not found: the API is under /api');
  });
  const agents = openSessions(services);
  const answerAuthorized = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    const refusal = await bridge.refusalFor(request);
    if (refusal) return sendFailure(response, refusal);
    if (path === '/mcp') return (await agents())(request, response);
    sendResponse(response, { status: 200, headers: { 'content-type': metrics.type } }, await metrics.text());
  };
  const url = await listenOn(server, options);
  const release = () => {
    bridge.close();
    for (const service of services) service.dispose();
  };
  return { url, close: () => closeServer(server, release) };
}

/** The sessions of agents, whose code is loaded with the first request; they take the services in turn. */
function openSessions(services: readonly Service[]) {
  let count = 0;
  const nextClient = () => createClient(services[count++ % services.length] as Service);
  let opened: ReturnType<typeof load> | undefined;
  const load = async () => (await import('./mcp/http-sessions.ts')).createMcpSessions(nextClient);
  return () => (opened ??= load());
}

/**
 * Whether all services have loaded their default model and know the models of their folder, among which it may be.
 *
 * @param statuses  the newest one of each service: another model may be chosen, and a failed one loads later
 */
export function watchHealth(services: readonly Pick<Service, 'ready'>[], statuses: ReadonlyMap<number, ModelStatus>) {
  let areKnown = false;
  void Promise.allSettled(services.map(({ ready }) => ready)).then(() => (areKnown = true));
  return () => {
    const all = [...statuses.values()];
    const failed = all.find((status) => status.kind === 'failed');
    if (failed) return { status: 'failed', reason: failed.failure.message, version: VERSION };
    const isReady = areKnown && all.every(({ kind }) => kind === 'ready');
    return { status: isReady ? 'ok' : 'starting', version: VERSION };
  };
}

function sendJson(response: ServerResponse, body: ReturnType<ReturnType<typeof watchHealth>>): void {
  const head = { status: body.status === 'ok' ? 200 : 503, headers: { 'content-type': 'application/json' } };
  sendResponse(response, head, JSON.stringify(body));
}

/** Seconds, from a text's embedding to an explanation of a long prompt. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

/**
 * Metrics for Prometheus: requests by path and status, their durations, those under way, threads that ended by themselves, and
 * those of the process.
 *
 * @param paths  operations of the contract; a request for anything else counts as `other`, so that clients cannot make new series
 */
function createMetrics(paths: ReadonlySet<string>) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'lightwell_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['path', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const underWay = new Gauge({
    name: 'lightwell_requests_under_way',
    help: 'Requests whose answers have not ended.',
    registers,
  });
  const threadEnds = new Counter({
    name: 'lightwell_thread_ends_total',
    help: 'Worker threads that ended by themselves.',
    registers,
  });
  return {
    threadEnded: () => threadEnds.inc(),
    /** Measures a request until its connection has its answer, or is closed. */
    observe({ url = '' }: IncomingMessage, response: ServerResponse): void {
      const [whole = ''] = url.split('?', 1);
      const path = whole.replace(/^\/api(\/v1)?(?=\/)/, '');
      const stop = durations.startTimer({ path: paths.has(path) ? path : 'other' });
      underWay.inc();
      response.once('close', () => {
        underWay.dec();
        stop({ status: response.writableFinished ? response.statusCode : 'aborted' });
      });
    },
    type: registry.contentType,
    text: () => registry.metrics(),
  };
}
