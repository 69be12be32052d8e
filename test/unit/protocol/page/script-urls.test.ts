import { describe, expect, it } from 'vitest';
import { trustScriptsIn, type PolicyFactory } from '../../../../src/protocol/page/script-urls.ts';

const FOLDER = 'https://host.example/tools/lightwell/';

/** What the policy says of an address; browsers refuse null. */
function judged(url: string): string | null | undefined {
  let rule: ((url: string) => string | null) | undefined;
  const factory: PolicyFactory = { createPolicy: (_name, { createScriptURL }) => (rule = createScriptURL) };
  trustScriptsIn(FOLDER, factory);
  return rule?.(url);
}

describe('trustScriptsIn', () => {
  it.each([
    `${FOLDER}assets/inference.worker-x.js`,
    'service-worker.js',
    'service-worker.js?isolate',
    './assets/ort.mjs',
  ])('lets %s become a worker, as it is', (url) => expect(judged(url)).toBe(url));

  it.each([
    ['another origin', 'https://evil.example/tools/lightwell/a.js'],
    ['a folder beside ours', '/tools/other/a.js'],
    ['a folder above ours', '../a.js'],
    ['what is spelled as ours, and is not', '/tools/lightwell/../other/a.js'],
    ['a blob', 'blob:https://host.example/2c0d3b6e.js'],
    ['data', 'data:text/javascript,alert(1)//.js'],
    ['a script in an address', 'javascript:alert(1)//.js'],
    ['an answer of the contract', 'api/version'],
    ['a file that is no script', 'models/lightwell-base/README.md'],
    ['no address', 'https://'],
  ])('refuses %s', (_name, url) => expect(judged(url)).toBeNull());

  it('does nothing in a browser without Trusted Types', () =>
    expect(trustScriptsIn(FOLDER, undefined)).toBeUndefined());
});
