import { ENGINE_PATH } from '../../src/contract/wire/engine.ts';

const PREFIX = `/${ENGINE_PATH}`;

/** A request of the protocol that may be passed on. */
export interface EngineRoute {
  /** Path below the engine's address; '' for what the local server answers itself. */
  readonly path: string;
  readonly method: 'GET' | 'POST';
  /** The model that it is for. */
  readonly model: string | undefined;
}

const GENERAL = new Set(['', 'v2', 'v2/health/ready']);
const OF_MODEL = /^v2\/models\/([A-Za-z0-9][A-Za-z0-9._-]{0,99})(?:\/versions\/\d{1,9})?(\/ready|\/infer)?$/;

/** Whether a URL is for the engine. */
export function isForEngine(url: string): boolean {
  return url.startsWith(PREFIX) || url === PREFIX.slice(0, -1);
}

/**
 * What a URL asks of the engine: ready, metadata and infer alone. No part of it is decoded, so that nothing is read in two ways.
 *
 * @returns undefined for every other URL
 */
export function engineRoute(url: string): EngineRoute | undefined {
  const path = url.slice(PREFIX.length);
  if (GENERAL.has(path)) return { path, method: 'GET', model: undefined };
  const [, model, action] = OF_MODEL.exec(path) ?? [];
  if (model === undefined) return undefined;
  return { path, method: action === '/infer' ? 'POST' : 'GET', model };
}
