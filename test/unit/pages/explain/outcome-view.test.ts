import { describe, expect, it } from 'vitest';
import { staleText } from '../../../../src/pages/explain/outcome-view.tsx';

describe('staleText', () => {
  it.each([
    ['m 1', [], 'm 1', null],
    ['m 1', [], undefined, null],
    [null, [], 'm 1', 'Stopped before all sections were explained.'],
    ['m 1', ['prompt'], 'm 1', 'This result is out of date: the prompt has changed.'],
    [null, ['settings'], 'm 1', 'This result is out of date: the settings have changed.'],
    ['m 1', ['prompt', 'target'], 'm 1', 'This result is out of date: the prompt and the target have changed.'],
    ['m 1', [], 'm 2', 'This result is out of date: the model has changed.'],
    [
      'm 1',
      ['prompt', 'target', 'settings'],
      'm 2',
      'This result is out of date: the prompt, the target, the settings and the model have changed.',
    ],
  ] as const)('of a result of %j with %j since and %j now', (modelVersion, changes, version, text) =>
    expect(staleText({ modelVersion }, changes, version)).toBe(text),
  );
});
