import { describe, expect, it } from 'vitest';
import { requestFields } from '../../../../src/explanations/export.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';
import { settingsText } from '../../../../src/figures/drawing/content.ts';
import { madeUpContent } from '../../../support/figures/source.ts';

describe('settingsText', () => {
  const fields = requestFields(madeUpContent().outcome, 'm');
  const words =
    'split by word; attention × 0.1 (dimmed), multiplicative; partly covered tokens proportionally; similar tokens not dimmed';

  it('says every setting of the page', () => expect(settingsText(DEFAULT_QUESTION_SETTINGS, fields)).toBe(words));

  it('names the budget of estimates', () => {
    expect(settingsText(DEFAULT_QUESTION_SETTINGS, { ...fields, budget: 'auto' })).toBe(`${words}; budget auto`);
  });
});
