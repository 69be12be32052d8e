import { describe, expect, it } from 'vitest';
import { jsonText } from '../../../../src/router/response/respond.ts';

describe('jsonText', () => {
  it.each([
    [{ a: 1, b: [[1, 2.5], [], ['x"y']], c: null, d: 'ü\n' }],
    [{ left: undefined, kept: { inner: undefined, deep: [undefined] } }],
    [{}],
    [[1, 2]],
    ['text'],
    [null],
  ])('writes %j as JSON.stringify does', async (value) => {
    expect(await jsonText(value)).toBe(JSON.stringify(value));
  });

  it('lets other tasks in between', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => Array.from({ length: 20_000 }, (_, k) => Math.sin(i * k)));
    let others = 0;
    const timer = setInterval(() => others++);
    expect(await jsonText({ rows })).toHaveLength(JSON.stringify({ rows }).length);
    clearInterval(timer);
    expect(others).toBeGreaterThan(1);
  });
});
