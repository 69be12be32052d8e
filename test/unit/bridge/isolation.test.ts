import { describe, expect, it } from 'vitest';
import { reloadToIsolate, serviceWorkerScript, type IsolationPage } from '../../../src/bridge/isolation.ts';
import { eventually } from '../../support/eventually.ts';
import { createFakeMemory } from '../../support/fakes/fake-memory.ts';

const PLAIN = 'https://host.example/service-worker.js';
const ISOLATING = `${PLAIN}?isolate`;

/** A worker that goes through the given states, one per task. */
function worker(...states: ServiceWorkerState[]) {
  const target = new EventTarget();
  let state = states.shift() ?? 'installing';
  const go = () => {
    const next = states.shift();
    if (next === undefined) return;
    state = next;
    target.dispatchEvent(new Event('statechange'));
    setTimeout(go);
  };
  setTimeout(go);
  return {
    addEventListener: target.addEventListener.bind(target),
    get state() {
      return state;
    },
  };
}

const refuse = () => {
  throw new Error('denied');
};
const forbidden = { getItem: refuse, setItem: refuse, removeItem: refuse };

/** A page of a host that sends no headers, in a tab that lives through reloads. */
function page(installing: ReturnType<typeof worker> | Error, more: Partial<IsolationPage> = {}) {
  const seen = { reloads: 0, scripts: [] as string[] };
  const register = async (script: string | URL) => {
    seen.scripts.push(String(script));
    if (installing instanceof Error) throw installing;
    // As much of a registration as is looked at.
    return { installing, waiting: null, active: null } as unknown as ServiceWorkerRegistration;
  };
  const one: IsolationPage = {
    isIsolated: false,
    controller: null,
    isFramed: false,
    storage: createFakeMemory(),
    container: { register },
    reload: () => void (seen.reloads += 1),
    ...more,
  };
  return { one, seen };
}

describe('serviceWorkerScript', () => {
  it.each([
    ['the host isolates', { isIsolated: true, controller: null }, 'service-worker.js'],
    ['the host isolates, through the worker', { isIsolated: true, controller: PLAIN }, 'service-worker.js'],
    ['the worker isolates', { isIsolated: true, controller: ISOLATING }, 'service-worker.js?isolate'],
    ['nobody isolates', { isIsolated: false, controller: null }, 'service-worker.js?isolate'],
    ['the host has stopped to', { isIsolated: false, controller: PLAIN }, 'service-worker.js?isolate'],
  ])('where %s', (_name, state, script) => expect(serviceWorkerScript(state)).toBe(script));
});

describe('reloadToIsolate', () => {
  it('starts the page as it is where the reload cannot be noted', async () => {
    const full = {
      ...createFakeMemory(),
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const { one, seen } = page(worker('activated'), { storage: full });
    expect(await reloadToIsolate(one)).toBe(false);
    expect(seen.reloads).toBe(0);
  });

  it('reloads once the worker is active, and not again when that did not help', async () => {
    const { one, seen } = page(worker('installing', 'installed', 'activating', 'activated'));
    expect(await reloadToIsolate(one)).toBe(true);
    expect(seen).toEqual({ reloads: 1, scripts: ['service-worker.js?isolate'] });
    expect(await reloadToIsolate(one)).toBe(false);
    expect(seen.reloads).toBe(1);
  });

  it('may reload again after the page was isolated, as after a reload past the worker', async () => {
    const { one, seen } = page(worker('activated'));
    expect(await reloadToIsolate(one)).toBe(true);
    expect(await reloadToIsolate({ ...one, isIsolated: true })).toBe(false);
    expect(await reloadToIsolate(one)).toBe(true);
    expect(seen.reloads).toBe(2);
  });

  it.each([
    ['an isolated page', { isIsolated: true }],
    ['a page inside another one', { isFramed: true }],
    ['a tab without storage', { storage: null }],
    ['a tab whose storage cannot be read', { storage: forbidden }],
    ['an isolated tab whose storage forbids everything', { isIsolated: true, storage: forbidden }],
    ['an address without service workers', { container: undefined }],
  ])('leaves %s as it is', async (_name, more) => {
    const { one, seen } = page(worker('activated'), more);
    expect(await reloadToIsolate(one)).toBe(false);
    expect(seen).toEqual({ reloads: 0, scripts: [] });
  });

  it('lets the page start when no worker can be installed', async () => {
    const refused = page(new Error('not found'));
    expect(await reloadToIsolate(refused.one)).toBe(false);
    const failed = page(worker('installing', 'redundant'));
    expect(await reloadToIsolate(failed.one)).toBe(false);
    expect([refused.seen.reloads, failed.seen.reloads]).toEqual([0, 0]);
  });

  it('never reloads a page that has started because the worker was slow', async () => {
    const slow = worker(...Array<ServiceWorkerState>(20).fill('installing'), 'activated');
    const { one, seen } = page(slow);
    expect(await reloadToIsolate(one, 0)).toBe(false);
    await eventually(() => expect(slow.state).toBe('activated'));
    expect(seen.reloads).toBe(0);
  });
});
