import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds, from a text's embedding to an explanation of a long prompt. */
const BUCKETS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100];

/**
 * Metrics for Prometheus: requests by path and status, their durations, those under way, threads that ended by themselves, and
 * those of the process.
 *
 * @param paths  operations of the contract; a request for anything else counts as `other`, so that clients cannot make new series
 */
export function createMetrics(paths: ReadonlySet<string>) {
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
