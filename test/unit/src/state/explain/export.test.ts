import { describe, expect, it } from 'vitest';
import { csvOf, jsonOf } from '../../../../../src/state/explain/export.ts';
import { outcomeOf } from '../../../../../src/state/explain/outcome.ts';
import { PREDICTION } from '../../../../support/fakes/fake-explain.ts';
import { DEFAULT_SETTINGS } from '../../../../../src/state/explain/question.ts';

const QUESTION = { picture: null, prompt: 'Say "a", b', target: ' x y', settings: DEFAULT_SETTINGS };
const OUTCOME = outcomeOf(
  QUESTION,
  [
    { target: ' x', items: [{ type: 'text', scores: [{ start: 4, length: 4, score: 0.5 }] }] },
    {
      target: ' y',
      items: [
        { type: 'text', scores: [{ start: 4, length: 4, score: 1 }] },
        { type: 'target', scores: [{ start: 0, length: 2, score: -2 }] },
      ],
    },
  ],
  'm 1',
  PREDICTION,
);

const PICTURE = { name: 'a', type: 'image/png', data: 'AA==' };
const WITH_PICTURE = outcomeOf(
  { ...QUESTION, picture: PICTURE },
  [
    {
      target: ' x',
      items: [
        { type: 'image', scores: [{ rect: { left: 0.5, top: 0, width: 0.5, height: 0.5 }, score: 3 }] },
        { type: 'text', scores: [{ start: 0, length: 3, score: 0.5 }] },
      ],
    },
  ],
  'm 1',
  PREDICTION,
);

describe('csvOf', () => {
  it.each([
    [
      'a row per section, quoting what needs it',
      OUTCOME,
      ['part,section,start,length,whole target," x"," y"', 'prompt,"""a"",",4,4,1.5,0.5,1', 'target," x",0,2,-2,,-2'],
    ],
    [
      'a row per tile, in front of the text',
      WITH_PICTURE,
      [
        'part,section,start,length,left,top,width,height,whole target," x"',
        'picture,"row 1, column 2",,,0.5,0,0.5,0.5,3,3',
        'prompt,Say,0,3,,,,,0.5,0.5',
      ],
    ],
  ])('writes %s', (_what, outcome, lines) => expect(csvOf(outcome).split('\r\n')).toEqual(lines));
});

describe('csvOf above a factor of 1', () => {
  it('writes the scores of the contract, not the page’s turned ones', () => {
    const question = { ...QUESTION, settings: { ...DEFAULT_SETTINGS, factor: 2 } };
    const strengthened = outcomeOf(question, OUTCOME.explanations, 'm 1', PREDICTION);
    expect(strengthened.influence.prompt[0]?.total).toBe(-1.5);
    expect(csvOf(strengthened)).toBe(csvOf(OUTCOME));
  });
});

describe('jsonOf', () => {
  it('holds the request and the answer as the contract has them', () => {
    const { request, response } = JSON.parse(jsonOf(OUTCOME, 'm')) as Record<string, Record<string, unknown>>;
    expect(request).toMatchObject({ model: 'm', prompt: QUESTION.prompt, target_granularity: 'token' });
    expect(response).toEqual({ model_version: 'm 1', explanations: OUTCOME.explanations });
  });
});
