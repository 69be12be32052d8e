import { describe, expect, it } from 'vitest';
import { ExplainRequest } from '../../../src/contract/explain.ts';
import {
  budgetOf,
  changesBetween,
  DEFAULT_QUESTION_SETTINGS,
  isSameQuestion,
  isSameText,
  missingIn,
  readQuestion,
  explainRequestOf,
  granularityOf,
  type Question,
} from '../../../src/explanations/question.ts';

const QUESTION: Question = { picture: null, prompt: 'An apple', target: ' a day', settings: DEFAULT_QUESTION_SETTINGS };

function withSettings(settings: Partial<Question['settings']>): Question {
  return { ...QUESTION, settings: { ...DEFAULT_QUESTION_SETTINGS, ...settings } };
}

const PICTURE = { name: 'star', type: 'image/png', data: 'iVBORw0KGgo=' };

describe('requestOf', () => {
  it('puts the picture before the text, and alone where there is none', () => {
    const image = { type: 'image', data: PICTURE.data };
    expect(explainRequestOf({ ...QUESTION, picture: PICTURE }, 'm').prompt).toEqual([
      image,
      { type: 'text', data: 'An apple' },
    ]);
    expect(explainRequestOf({ ...QUESTION, picture: PICTURE, prompt: '' }, 'm').prompt).toEqual([image]);
  });

  it('has sections deleted by a server, without what changes attention', () => {
    const settings = { granularity: 'auto', similarity: 0.9, factor: 2 } as const;
    expect(explainRequestOf(withSettings(settings), 'm', 'https://models.example/v1')).toEqual({
      model: 'm',
      prompt: 'An apple',
      target: ' a day',
      target_granularity: 'token',
      method: 'deletion',
    });
  });

  it('leaves auto out and never normalises, so that the whole target is the sum of its tokens', () => {
    expect(explainRequestOf(withSettings({ granularity: 'auto' }), 'm')).toEqual({
      model: 'm',
      prompt: 'An apple',
      target: ' a day',
      target_granularity: 'token',
      control_factor: 0.1,
      control_log_additive: false,
      control_token_overlap: 'partial',
    });
  });

  it.each([
    [{ factor: 0.1 }, false],
    [{ factor: 2 }, true],
    [{ factor: 2, logAdditive: false }, false],
    [{ factor: 0.1, logAdditive: true }, true],
  ])('multiplies below 1 and adds the logarithm above, unless told otherwise: %j', (settings, isAdded) =>
    expect(explainRequestOf(withSettings(settings), 'm').control_log_additive).toBe(isAdded),
  );

  it('sends a delimiter with a custom granularity only', () => {
    const settings = { granularity: 'custom', delimiter: '###' } as const;
    expect(explainRequestOf(withSettings(settings), 'm').prompt_granularity).toEqual({
      type: 'custom',
      delimiter: '###',
    });
    expect(explainRequestOf(withSettings({ ...settings, granularity: 'word' }), 'm').prompt_granularity).toEqual({
      type: 'word',
    });
  });

  it('asks for one explanation of the whole target where that is chosen, and never for processed scores', () => {
    const settings = { targetGranularity: 'complete', postprocessing: 'square', normalize: true } as const;
    expect(explainRequestOf(withSettings(settings), 'm')).toEqual({
      ...explainRequestOf(QUESTION, 'm'),
      target_granularity: 'complete',
    });
  });

  it('sends a threshold when similar tokens are suppressed too', () => {
    expect(explainRequestOf(withSettings({ similarity: 0.9 }), 'm').contextual_control_threshold).toBe(0.9);
  });

  it.each(['auto', 'token', 'word', 'sentence', 'paragraph', 'custom'] as const)('fits the contract: %s', (type) => {
    expect(ExplainRequest.safeParse(explainRequestOf(withSettings({ granularity: type }), 'm')).success).toBe(true);
  });
});

describe('changesBetween', () => {
  it.each([
    [{}, []],
    [{ prompt: 'a' }, ['prompt']],
    [{ picture: PICTURE }, ['prompt']],
    [{ target: 'b', settings: { ...DEFAULT_QUESTION_SETTINGS, factor: 0 } }, ['target', 'settings']],
    [{ settings: { ...DEFAULT_QUESTION_SETTINGS, normalize: true } }, []], // lists the same scores in another way
  ] as const)('%j', (change, changes) => {
    expect(changesBetween(QUESTION, { ...QUESTION, ...change })).toEqual(changes);
  });
});

describe('budgetOf', () => {
  it('is left to the service where a quick answer is chosen, which makes another question', () => {
    const quick = { ...QUESTION, settings: { ...DEFAULT_QUESTION_SETTINGS, accuracy: 'quick' as const } };
    expect([budgetOf(QUESTION), budgetOf(quick)]).toEqual([undefined, 'auto']);
    expect(isSameQuestion(QUESTION, quick)).toBe(false);
    expect(readQuestion(JSON.parse(JSON.stringify(quick)))?.settings.accuracy).toBe('quick');
  });

  it('is never sent to a server', () => {
    expect(budgetOf(withSettings({ accuracy: 'quick' }), 'https://models.example/v1')).toBeUndefined();
  });
});

describe('granularityOf', () => {
  it.each([
    ['token', null, 'token'],
    ['token', 'https://models.example/v1', 'auto'],
    ['word', 'https://models.example/v1', 'word'],
  ] as const)('of %s with the server %j is %s', (granularity, upstream, expected) => {
    expect(granularityOf({ granularity }, upstream)).toBe(expected);
    const { prompt_granularity: sent } = explainRequestOf(withSettings({ granularity }), 'm', upstream);
    expect(sent?.type ?? 'auto').toBe(expected);
  });
});

describe('missingIn', () => {
  it.each([
    [QUESTION, null],
    [{ ...QUESTION, prompt: '' }, 'prompt'],
    [{ ...QUESTION, target: '' }, null],
    [withSettings({ granularity: 'custom', delimiter: '' }), 'delimiter'],
    [withSettings({ granularity: 'word', delimiter: '' }), null],
  ] as const)('names what is missing (%#)', (question, missing) => {
    expect(missingIn(question)).toBe(missing);
  });
});

describe('isSameQuestion', () => {
  it('sees through settings that do not count', () => {
    expect(isSameQuestion(QUESTION, withSettings({ delimiter: '###' }))).toBe(true);
    expect(isSameQuestion(QUESTION, withSettings({ factor: 0 }))).toBe(false);
    expect(isSameQuestion(QUESTION, { ...QUESTION, target: ' a' })).toBe(false);
  });
});

describe('readQuestion', () => {
  it('reads what was written', () => {
    const question = withSettings({ granularity: 'custom', factor: 0, logAdditive: true, overlap: 'complete' });
    expect(readQuestion(JSON.parse(JSON.stringify(question)))).toEqual(question);
    const listed = withSettings({ targetGranularity: 'complete', postprocessing: 'square', normalize: true });
    expect(readQuestion(JSON.parse(JSON.stringify(listed)))).toEqual(listed);
  });

  it('replaces settings that it does not know', () => {
    const settings = {
      granularity: 'line',
      factor: -1,
      overlap: 7,
      delimiter: null,
      similarity: 'x',
      postprocessing: 'cube',
    };
    expect(readQuestion({ ...QUESTION, settings })).toEqual(QUESTION);
    expect(readQuestion({ prompt: 'An apple', target: ' a day' })).toEqual(QUESTION);
  });

  it.each([null, 1, 'x', [], {}, { prompt: 'a' }, { prompt: 1, target: '' }])('answers null for %j', (value) => {
    expect(readQuestion(value)).toBeNull();
  });
});

describe('a question with a picture', () => {
  it('needs no text', () => {
    expect(missingIn({ ...QUESTION, prompt: '' })).toBe('prompt');
    expect(missingIn({ ...QUESTION, prompt: '', picture: PICTURE })).toBeNull();
  });

  it('is another one without it, and with another one', () => {
    const asked = { ...QUESTION, picture: PICTURE };
    expect([isSameQuestion(asked, { ...asked }), isSameText(asked, { ...asked })]).toEqual([true, true]);
    for (const picture of [null, { ...PICTURE, data: 'AAAA' }])
      expect([isSameQuestion(asked, { ...asked, picture }), isSameText(asked, { ...asked, picture })]).toEqual([
        false,
        false,
      ]);
  });

  it.each([
    ['what was kept', PICTURE, PICTURE],
    ['a file of another type', { ...PICTURE, type: 'text/html' }, null],
    ['what has no data', { name: 'a', type: 'image/png' }, null],
    ['anything else', 'star.png', null],
  ])('reads %s', (_, picture, expected) => {
    expect(readQuestion({ prompt: 'a', target: 'b', picture })?.picture).toEqual(expected);
  });
});
