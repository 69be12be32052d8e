import { describe, expect, it } from 'vitest';
import { findOriginOccupants, type Origin } from '../../../src/bridge/origin-occupants.ts';

const OWN = 'https://host.example/tools/lightwell/service-worker.js';

function originWith(
  shown: Partial<Record<'serviceWorkers' | 'storageKeys' | 'databases' | 'caches', string[]>>,
): Origin {
  const { serviceWorkers = [], storageKeys = [], databases = [], caches = [] } = shown;
  return {
    ownScript: OWN,
    serviceWorkers: async () => serviceWorkers,
    storageKeys: async () => storageKeys,
    databases: async () => databases,
    caches: async () => caches,
  };
}

describe('findOriginOccupants', () => {
  it('finds nothing where there is only what is ours', async () =>
    expect(
      await findOriginOccupants(
        originWith({
          serviceWorkers: [`${OWN}?isolate`],
          storageKeys: ['lightwell.token', 'lightwell.explain.prompt'],
          databases: ['lightwell'],
          caches: ['lightwell-models'],
        }),
      ),
    ).toEqual([]));

  it('names what another page has left', async () =>
    expect(
      await findOriginOccupants(
        originWith({
          serviceWorkers: ['https://host.example/sw.js', OWN],
          storageKeys: ['lightwell.token', 'todos', 'lightwellness'],
          databases: ['firebase'],
          caches: ['workbox-precache'],
        }),
      ),
    ).toEqual([
      { kind: 'service worker', name: 'https://host.example/sw.js' },
      { kind: 'storage', name: 'todos' },
      { kind: 'storage', name: 'lightwellness' },
      { kind: 'database', name: 'firebase' },
      { kind: 'cache', name: 'workbox-precache' },
    ]));

  it('finds what it may see where the browser forbids the rest', async () => {
    const forbidden = async () => {
      throw new DOMException('forbidden', 'SecurityError');
    };
    const origin = { ...originWith({ storageKeys: ['todos'] }), databases: forbidden, serviceWorkers: forbidden };
    expect(await findOriginOccupants(origin)).toEqual([{ kind: 'storage', name: 'todos' }]);
  });
});
