import { describe, expect, it } from 'vitest';
import { createDeletions } from '../../../../evaluation/measures/deletions.ts';

describe('createDeletions', () => {
  const deletions = createDeletions(['a', 'b']);
  deletions.add('a', { scores: [1, 2, 3], losses: [2, 4, 6], labels: [0, 0, 1] });
  deletions.add('a', { scores: [-1, 0.05], losses: [1, -9], labels: [1, 0] });
  deletions.add('a', { scores: [5, 1], losses: [5, 1], labels: null });
  const rows = deletions.rows('words').filter(({ what }) => what.startsWith('words, a: '));
  const row = (what: string) => rows.find((one) => one.what === `words, a: ${what}`);

  it('correlates all pairs, and those of each prompt with three sections', () => {
    expect(row('correlation')?.items).toBe(7);
    expect(row('correlation within a prompt')).toMatchObject({ model: { value: 1 }, items: 1 });
  });

  it('says how often the section that says the answer has the highest score', () =>
    expect(row('the answer’s is highest')).toMatchObject({ model: { value: 0.5 }, items: 2 }));

  it('says how often the signs differ, where both count', () =>
    expect(row('the other sign')).toMatchObject({ model: { value: 1 / 6 }, items: 6 }));
});
