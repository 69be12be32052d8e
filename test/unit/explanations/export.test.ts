import { describe, expect, it } from 'vitest';
import { scoresCsv, scoresJson, requestFields } from '../../../src/explanations/export.ts';
import { outcomeOf } from '../../../src/explanations/outcome.ts';
import { PREDICTION } from '../../support/fakes/fake-explain.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../src/explanations/question.ts';

const QUESTION = { picture: null, prompt: 'Say "a", b', target: ' x y', settings: DEFAULT_QUESTION_SETTINGS };
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

/** The settings behind the scores of each row. */
const FIELDS =
  'unit,model,target,target_granularity,control_factor,control_log_additive,control_token_overlap,prompt_granularity,model_version,is_partial';
const VALUES = 'nats,m," x y",token,0.1,false,partial,"{""type"":""word""}",m 1,false';

const scoresIn = (csv: string) => csv.split('\r\n').map((row) => row.split(',').slice(4, -10));

describe('csvOf', () => {
  it.each([
    [
      'a row per section, quoting what needs it',
      OUTCOME,
      [
        `part,section,start,length,whole target," x"," y",${FIELDS}`,
        `prompt,"""a"",",4,4,1.5,0.5,1,${VALUES}`,
        `target," x",0,2,-2,,-2,${VALUES}`,
      ],
    ],
    [
      'a row per tile, in front of the text',
      WITH_PICTURE,
      [
        `part,section,start,length,left,top,width,height,whole target," x",${FIELDS}`,
        `picture,"row 1, column 2",,,0.5,0,0.5,0.5,3,3,${VALUES}`,
        `prompt,Say,0,3,,,,,0.5,0.5,${VALUES}`,
      ],
    ],
  ])('writes %s', (_what, outcome, lines) => expect(scoresCsv(outcome, 'm').split('\r\n')).toEqual(lines));
});

describe('csvOf with estimates', () => {
  const estimated = outcomeOf(
    { ...QUESTION, settings: { ...DEFAULT_QUESTION_SETTINGS, accuracy: 'quick' } },
    [
      {
        target: ' x y',
        items: [
          { type: 'text', scores: [0, 4].map((start) => ({ start, length: 3, score: 1 })), margins: [null, 0.25] },
        ],
      },
    ],
    'm 1',
    PREDICTION,
  );

  it('has a column for margins, and says what the request could spend', () => {
    const [head = '', first = '', second = ''] = scoresCsv(estimated, 'm').split('\r\n');
    const column = head.split(',').indexOf('margin');
    expect([first, second].map((row) => row.split(',')[column])).toEqual(['0', '0.25']);
    expect(requestFields(estimated, 'm')['budget']).toBe('auto');
    expect(JSON.parse(scoresJson(estimated, 'm'))).toMatchObject({ budget: 'auto' });
  });

  it('has no budget of a server, which was sent none', () => {
    const there = { ...estimated, upstream: 'https://models.example/v1' };
    expect(requestFields(there, 'm')).not.toHaveProperty('budget');
    expect(JSON.parse(scoresJson(there, 'm'))).not.toHaveProperty('budget');
  });

  it('has neither where all is exact', () => {
    expect(scoresCsv(OUTCOME, 'm')).not.toContain('margin');
    expect(scoresJson(OUTCOME, 'm')).not.toContain('budget');
  });
});

describe('csvOf above a factor of 1', () => {
  it('writes the scores of the contract, not the page’s turned ones', () => {
    const question = { ...QUESTION, settings: { ...DEFAULT_QUESTION_SETTINGS, factor: 2 } };
    const strengthened = outcomeOf(question, OUTCOME.explanations, 'm 1', PREDICTION);
    expect(strengthened.influence.prompt[0]?.total).toBe(-1.5);
    expect(scoresIn(scoresCsv(strengthened, 'm'))).toEqual(scoresIn(scoresCsv(OUTCOME, 'm')));
  });
});

describe('csvOf of texts that a spreadsheet would compute', () => {
  it.each(['=1+1', '+1', '-1', '@a', '\tx', '\rx'])('puts an apostrophe in front of %j', (prompt) => {
    const scores = [{ start: 0, length: prompt.length, score: -1 }];
    const explanations = [{ target: prompt, items: [{ type: 'text' as const, scores }] }];
    const csv = scoresCsv(outcomeOf({ ...QUESTION, prompt, target: prompt }, explanations, 'm 1', PREDICTION), 'm');
    expect(csv).toMatch(/\r\nprompt,"?'/);
    expect(csv).toContain(',-1,-1,nats'); // numbers stay numbers
    expect(csv.slice(csv.indexOf('whole target'))).toMatch(/^whole target,"?'/);
  });
});

describe('requestFields', () => {
  it('has every setting, and says when sections are missing', () => {
    const settings = { ...DEFAULT_QUESTION_SETTINGS, granularity: 'custom', delimiter: '#', similarity: 0.9 } as const;
    const partial = outcomeOf({ ...QUESTION, settings }, OUTCOME.explanations, null, PREDICTION);
    expect(requestFields(partial, 'm')).toMatchObject({
      unit: 'nats',
      model: 'm',
      model_version: '',
      is_partial: true,
      prompt_granularity: '{"type":"custom","delimiter":"#"}',
      contextual_control_threshold: 0.9,
    });
    expect(requestFields(partial, 'm')).not.toHaveProperty('prompt');
  });
});

describe('jsonOf', () => {
  it('holds the request and the answer as the contract has them', () => {
    const { request, response } = JSON.parse(scoresJson(OUTCOME, 'm')) as Record<string, Record<string, unknown>>;
    expect(request).toMatchObject({ model: 'm', prompt: QUESTION.prompt, target_granularity: 'token' });
    expect(response).toEqual({ model_version: 'm 1', explanations: OUTCOME.explanations });
  });
});
