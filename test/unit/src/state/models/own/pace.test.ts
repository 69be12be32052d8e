import { expect, it } from 'vitest';
import { createFetchPace } from '../../../../../../src/state/models/own/pace.ts';

it('the pace of a download is that of its last seconds', () => {
  let at = 0;
  const pace = createFetchPace(() => at);
  expect(pace({ done: 0, total: 1000 })).toBeNull();
  at = 1000;
  expect(pace({ done: 100, total: 1000 })).toEqual({ bytesPerSecond: 100, secondsLeft: 9 });
  at = 8000;
  pace({ done: 100, total: 1000 });
  at = 9000;
  expect(pace({ done: 300, total: 1000 })).toEqual({ bytesPerSecond: 200, secondsLeft: 3.5 });
});
