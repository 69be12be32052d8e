import { expect, it } from 'vitest';
import { createDownloadRate } from '../../../../../src/pages/models/own/own-models.ts';

it('the rate of a download is that of its last seconds', () => {
  let at = 0;
  const rate = createDownloadRate(() => at);
  expect(rate({ done: 0, total: 1000 })).toBeNull();
  at = 1000;
  expect(rate({ done: 100, total: 1000 })).toEqual({ bytesPerSecond: 100, secondsLeft: 9 });
  at = 8000;
  rate({ done: 100, total: 1000 });
  at = 9000;
  expect(rate({ done: 300, total: 1000 })).toEqual({ bytesPerSecond: 200, secondsLeft: 3.5 });
});
