import { describe, expect, it } from 'vitest';
import { requestFields } from '../../../../src/explanations/export.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';
import { controlsText, settingsText } from '../../../../src/figures/drawing/content.ts';
import { madeUpContent } from '../../../support/figures/source.ts';

describe('settingsText', () => {
  const fields = requestFields(madeUpContent().outcome, 'm');
  const words =
    'split by word; attention × 0.1 (dimmed), multiplicative; partly covered tokens proportionally; similar tokens not dimmed';

  it('says every setting of the page', () => expect(settingsText(DEFAULT_QUESTION_SETTINGS, fields)).toBe(words));

  it('names fields of the request that it has no words for', () => {
    expect(settingsText(DEFAULT_QUESTION_SETTINGS, { ...fields, postprocessing: 'square' })).toBe(
      `${words}; postprocessing square`,
    );
  });
});

describe('controlsText', () => {
  it('lists the parts that have a factor of their own, in the prompt’s words', () => {
    const rect = { left: 0, top: 0, width: 1, height: 0.5 };
    expect(
      controlsText([
        { type: 'image', data: '', controls: [{ rect, factor: 2 }] },
        { type: 'text', data: '👧 says no', controls: [{ start: 2, length: 4, factor: 0.5 }] },
        { type: 'token_ids', data: [7], controls: [{ index: 0, factor: 0 }] },
      ]),
    ).toBe('a part of the picture × 2, ‘says’ × 0.5, token 0 × 0');
  });

  it('is nothing where no part has one', () => {
    expect(controlsText('red or blue')).toBeNull();
    expect(controlsText([{ type: 'text', data: 'a' }])).toBeNull();
  });
});
