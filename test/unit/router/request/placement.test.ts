import { describe, expect, it } from 'vitest';
import { FailureError } from '../../../../src/contract/failure.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../../../src/contract/settings.ts';
import type { Device } from '../../../../src/protocol/model-job.ts';
import { placementOf, type RouterOptions } from '../../../../src/router/request/model-choice.ts';
import { firstModel } from '../../../support/fakes/jobs.ts';

type EngineSettings = ServiceSettings['engine'];

const model = firstModel();
const ADDRESS = 'https://engine.example';
const ON: EngineSettings = {
  address: ADDRESS,
  models: { [model.name]: 'served' },
  whenHostingIsNull: true,
  ifAway: 'fail',
};

function place(
  hosting: string | null | undefined,
  change: Partial<EngineSettings> = {},
  engineUrl = 'http://localhost/e/',
) {
  const settings = () => ({ ...DEFAULT_SETTINGS, engine: { ...ON, ...change } });
  const options = { settings, token: () => 'page', engineUrl, device: () => ({ backend: 'wasm' }) };
  return placementOf(model, hosting, options as unknown as RouterOptions);
}

const deviceOf = (placed: ReturnType<typeof place>) => placed.run(async (device: Device) => device);
const away = new FailureError('ENGINE_UNAVAILABLE', 'away');

describe('placementOf', () => {
  it.each([
    [{ maxCost: 1 }, 500_000],
    [{ maxCost: 1, maxTokens: 1000 }, 1000],
    [{ maxCost: null }, null],
  ])('turns the cost of %j at a price of 2 into tokens of a server', async (change, maxTokens) => {
    const upstream = { address: `${ADDRESS}/v1`, maxTokens: null, pricePerMillionTokens: 2, ...change };
    const settings = () => ({ ...DEFAULT_SETTINGS, upstream });
    const options = { settings, token: () => 'page', engineUrl: 'http://localhost/api/engine/' };
    const placed = placementOf({ ...model, upstream: upstream.address }, null, options as unknown as RouterOptions);
    expect((await deviceOf(placed)).upstream).toMatchObject({ address: upstream.address, maxTokens });
  });

  it('is off where nothing was set', async () => {
    const options = { settings: () => DEFAULT_SETTINGS, token: () => '', engineUrl: 'http://localhost/e/' };
    expect(await deviceOf(placementOf(model, null, options as unknown as RouterOptions))).toEqual({});
  });

  it.each([null, undefined])('runs on the engine with hosting %s', async (hosting) => {
    const placed = place(hosting);
    expect((await deviceOf(placed)).remote).toEqual({
      url: 'http://localhost/e/',
      address: ADDRESS,
      model: 'served',
      token: 'page',
    });
    expect(placed.version()).toBe(`${model.version} @ ${ADDRESS}/served`);
    expect(placed.ran(false)).toBe(`remote; address="${ADDRESS}"; model="served"`);
  });

  it.each(['operator', 'lightwell', ''])('runs here with hosting "%s", whatever the settings say', async (hosting) => {
    const placed = place(hosting);
    expect(await deviceOf(placed)).toEqual({ backend: 'wasm' });
    expect([placed.ran(false), placed.version()]).toEqual(['here', model.version]);
  });

  it.each<Partial<EngineSettings>>([
    { whenHostingIsNull: false },
    { address: null },
    { models: {} },
    { models: { other: 'served' } },
    { models: JSON.parse('{"__proto__": "served"}') as Record<string, string> },
  ])('runs here with %j', async (change) => {
    expect((await deviceOf(place(null, change))).remote).toBeUndefined();
  });

  it('fails when the engine is away, or runs here where that was chosen, and says so', async () => {
    const flaky = async ({ remote }: Device) => {
      if (remote) throw away;
      return 'here';
    };
    await expect(place(null).run(flaky)).rejects.toBe(away);
    const placed = place(null, { ifAway: 'here' });
    expect(placed.ran(true)).toContain('else="here"');
    expect(await placed.run(flaky)).toBe('here');
    expect([placed.ran(false), placed.version()]).toEqual([`here; tried="${ADDRESS}"`, model.version]);
  });

  it('never takes over where the engine computes something else', async () => {
    const wrong = new FailureError('MODEL_UNAVAILABLE', 'other weights');
    const placed = place(null, { ifAway: 'here' });
    await expect(placed.run(() => Promise.reject(wrong))).rejects.toBe(wrong);
  });
});
