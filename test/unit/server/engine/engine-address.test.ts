import { describe, expect, it } from 'vitest';
import { readEngineConfig } from '../../../../server/options.ts';

describe('readEngine', () => {
  it('reads address, models and token', () => {
    expect(readEngineConfig('https://engine.example/base/', 'a,b', { LIGHTWELL_ENGINE_TOKEN: 'secret' })).toEqual({
      address: 'https://engine.example/base',
      models: ['a', 'b'],
      token: 'secret',
    });
    expect(readEngineConfig('http://localhost:8000', 'a', {})).toMatchObject({ token: undefined });
  });

  it.each<[string, string | undefined, Record<string, string>, RegExp]>([
    ['engine.example', 'a', {}, /expected an address/],
    ['ftp://engine.example', 'a', {}, /expected an address/],
    ['https://user:password@engine.example', 'a', {}, /without a password/],
    ['https://engine.example?x=1', 'a', {}, /expected an address/],
    ['http://engine.example', 'a', {}, /expected https/],
    ['https://engine.example', undefined, {}, /--engine-models/],
    ['https://engine.example', '../a', {}, /got "\.\.\/a"/],
    ['https://engine.example', 'a', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /certificates are checked/],
  ])('refuses %s %s', (address, models, environment, problem) => {
    expect(readEngineConfig(address, models, environment)).toMatch(problem);
  });

  it('refuses a token that no header can hold, and does not show it', () => {
    const refused = readEngineConfig('https://engine.example', 'a', { LIGHTWELL_ENGINE_TOKEN: 'sec\nret' });
    expect(refused).toMatch(/visible ASCII/);
    expect(refused).not.toContain('sec');
  });
});
