import { describe, expect, it } from 'vitest';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import { type ExplanationRecord, isRecordText, readRecord, verifyRecord } from '../../../src/client/record.ts';

const response = (score: number, start = 0, version = 'm 1'): ExplainResponse => ({
  model_version: version,
  explanations: [
    {
      target: ' a',
      items: [
        { type: 'token_ids', scores: [1] },
        { type: 'text', scores: [{ start, length: 2, score }] },
        { type: 'image', scores: [{ rect: { left: 0, top: 0, width: 1, height: 1 }, score: 2 }] },
        { type: 'target', scores: [] },
      ],
    },
  ],
});
const record: ExplanationRecord = {
  lightwell_record: 1,
  recorded_at: '2026-11-23T00:00:00.000Z',
  request: { model: 'm', prompt: 'ab', target: ' a' },
  response: response(3),
  exactness: 'exact',
  model: { name: 'm', version: 'm 1', files: { 'config.json': 'aa' } },
  engine: { lightwell: '0.1.0', backend: null, user_agent: 'a test' },
};

const verified = async (answer: ExplainResponse, files?: Record<string, string>) => {
  const client = { explain: () => Promise.resolve({ ok: true as const, value: answer }) };
  const found = await verifyRecord(record, { client, ...(files && { files }) });
  if (!found.ok) throw new Error(found.problem.message);
  return found.value;
};

describe('readRecord', () => {
  it('reads what was written', () => {
    const text = JSON.stringify(record, null, 2);
    expect(isRecordText(text)).toBe(true);
    expect(readRecord(text)).toEqual(record);
  });
  it('takes no other text for a record', () => {
    expect(isRecordText('{"request": {}}')).toBe(false);
    expect(isRecordText('A letter about a "lightwell_record": 1')).toBe(false);
  });
  it.each([
    ['{', /^record: expected JSON/],
    ['[]', /^record: expected an object, got \[\]/],
    [JSON.stringify({ ...record, lightwell_record: 2 }), /^lightwell_record: expected 1, got 2/],
    [
      JSON.stringify({ ...record, request: { model: 'm', prompt: 'a' } }),
      /^request\.target: expected a text, got nothing/,
    ],
    [JSON.stringify({ ...record, request: { ...record.request, prompt: 4 } }), /^request\.prompt/],
    [JSON.stringify({ ...record, response: { explanations: [] } }), /^response\.model_version/],
    [JSON.stringify({ ...record, response: { model_version: 'm', explanations: [{}] } }), /^response\.explanations/],
    [
      JSON.stringify({ ...record, response: { model_version: 'm', explanations: [{ items: [{}] }] } }),
      /^response\.exp/,
    ],
    ...[[null], [{ score: 1 }]].map((scores) => [
      JSON.stringify({
        ...record,
        response: { model_version: 'm', explanations: [{ items: [{ type: 'text', scores }] }] },
      }),
      /^response\.explanations/,
    ]),
    [JSON.stringify({ ...record, response: { ...record.response, contrast: {} } }), /^response\.contrast/],
    [
      JSON.stringify({
        ...record,
        response: { ...record.response, contrast: { items: [{ type: 'image', scores: [{ score: 1 }] }] } },
      }),
      /^response\.contrast/,
    ],
  ] as [string, RegExp][])('refuses %s', (text, message) => expect(() => readRecord(text)).toThrow(message));
});

describe('verifyRecord', () => {
  it('holds where no score differs by more than is allowed', async () => {
    expect(await verified(response(3 + 5e-5))).toMatchObject({
      scores: 3,
      holds: true,
      mayBeRounding: false,
      hasSameFiles: null,
    });
    expect((await verified(response(3 + 5e-5))).largest).toBeCloseTo(5e-5, 9);
    expect(await verified(response(3 + 5e-4))).toMatchObject({ holds: false, mayBeRounding: true });
    expect(await verified(response(3.01))).toMatchObject({ holds: false, mayBeRounding: false });
    expect(await verified(response(NaN))).toMatchObject({ holds: false, largest: Infinity });
  });
  it('does not hold for other sections, another model, other files', async () => {
    expect(await verified(response(3, 1))).toMatchObject({ largest: null, holds: false });
    expect(await verified(response(3, 0, 'm 2'))).toMatchObject({ largest: 0, recomputed: 'm 2', holds: false });
    expect(await verified(response(3), { 'config.json': 'bb' })).toMatchObject({ hasSameFiles: false, holds: false });
    expect(await verified(response(3), { 'config.json': 'aa' })).toMatchObject({ hasSameFiles: true, holds: true });
  });
  it('says what the service refuses', async () => {
    const problem = { status: 404, code: 'UNKNOWN_MODEL', message: 'm' };
    const client = { explain: () => Promise.resolve({ ok: false as const, problem }) };
    expect(await verifyRecord(record, { client })).toEqual({ ok: false, problem });
  });
});
