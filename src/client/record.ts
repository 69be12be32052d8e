import { shown } from '../contract/shown.ts';
import type { ExplainBody, ExplainResponse, Explanation, ExplanationItem } from '../contract/explain.ts';
import { hasPlacedScores, isListOf, isRecord } from '../contract/records.ts';
import type { Answer, CallOptions, Client } from './client.ts';

/** An explanation with all that is needed to compute it again. */
export interface ExplanationRecord {
  /** Version of the format. */
  readonly lightwell_record: 1;
  /** ISO 8601. */
  readonly recorded_at: string;
  readonly request: ExplainBody;
  readonly response: ExplainResponse;
  /** Every score comes from a pass of its own; none is an estimate. */
  readonly exactness: 'exact';
  /** `version`: name and version. */
  readonly model: { readonly name: string; readonly version: string; readonly files: RecordedFiles };
  /** When the record was saved. `lightwell`: its version; `backend`: null if unknown. */
  readonly engine: {
    readonly lightwell: string;
    readonly backend: { readonly backend: string; readonly threads: number; readonly reason: string } | null;
    readonly user_agent: string;
  };
}

/** SHA-256 of a model's files by path, in hexadecimal; null if unknown. */
type RecordedFiles = Readonly<Record<string, string>> | null;

/** Whether a text of unknown origin begins like a record of any version. */
export function isRecordText(text: string): boolean {
  return /^\s*\{\s*"lightwell_record"\s*:/.test(text);
}

/** The record in a text. Only what verifying reads is checked. @throws {RangeError} with field, expected and value */
export function readRecord(text: string): ExplanationRecord {
  const record = fieldsOf(parsed(text), 'record');
  if (record['lightwell_record'] !== 1) throw unexpected('lightwell_record', '1', record['lightwell_record']);
  const request = fieldsOf(record['request'], 'request');
  for (const name of ['model', 'target'] as const)
    if (typeof request[name] !== 'string') throw unexpected(`request.${name}`, 'a text', request[name]);
  if (typeof request['prompt'] !== 'string' && !Array.isArray(request['prompt']))
    throw unexpected('request.prompt', 'a text or a list', request['prompt']);
  const response = fieldsOf(record['response'], 'response');
  if (typeof response['model_version'] !== 'string')
    throw unexpected('response.model_version', 'a text', response['model_version']);
  if (!isExplanations(response['explanations']))
    throw unexpected('response.explanations', 'explanations with items and scores', response['explanations']);
  const { contrast } = response;
  if (contrast !== undefined && contrast !== null && !(isRecord(contrast) && isListOf(contrast['items'], isItem)))
    throw unexpected('response.contrast', 'items with scores', contrast);
  return record as unknown as ExplanationRecord; // every field that is read was checked
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('record: expected JSON, got another text');
  }
}

function fieldsOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw unexpected(path, 'an object', value);
  return value;
}

function isExplanations(value: unknown): boolean {
  return isListOf(value, ({ items }) => isListOf(items, isItem));
}

function isItem(item: Readonly<Record<string, unknown>>): boolean {
  const { type, scores } = item;
  return type === 'token_ids' ? Array.isArray(scores) && scores.every(Number.isFinite) : hasPlacedScores(item);
}

function unexpected(path: string, expected: string, got: unknown): RangeError {
  return new RangeError(`${path}: expected ${expected}, got ${shown(got)}`);
}

/** Largest difference of two runs of one model, nats. Measured: WebAssembly and a software WebGPU differ by up to 1.5e-5. */
export const TOLERANCE_NATS = 1e-4;

/**
 * GPUs that were not measured may round more coarsely, as those that compute in 16 bits do; and records from before
 * 2026-11-25 that were made on a GPU use its own sines, which change scores by up to 4.6e-4 nats.
 */
const OTHER_DEVICE_NATS = 1e-3;

/** A record compared with its explanation computed again. */
export interface Verification {
  /** Largest absolute difference of two scores, nats; null if the sections differ, so that no scores correspond. */
  readonly largest: number | null;
  /** Scores that were compared. */
  readonly scores: number;
  /** Models, by name and version. */
  readonly recorded: string;
  readonly recomputed: string;
  /** Whether the files are the same; null if those of one side are unknown. */
  readonly hasSameFiles: boolean | null;
  /** The same model, the same sections, and no difference above `TOLERANCE_NATS`. */
  readonly holds: boolean;
  /** The files do not differ, and the largest difference is explained by rounding of two kinds of device, not of one. */
  readonly mayBeRounding: boolean;
}

/** Computes a record again, and compares. @param options  `files` of the model @throws {DOMException} AbortError */
export async function verifyRecord(
  record: ExplanationRecord,
  options: CallOptions & { readonly client: Pick<Client, 'explain'>; readonly files?: RecordedFiles },
): Promise<Answer<Verification>> {
  const { client, files = null, ...call } = options;
  const answer = await client.explain(record.request, call);
  if (!answer.ok) return answer;
  const recorded = record.response.model_version;
  const { model_version: recomputed } = answer.value;
  const differences = differencesOf(record.response, answer.value);
  const largest = differences && differences.reduce((a, b) => Math.max(a, b), 0);
  const hasSameFiles = sameFiles(record.model?.files ?? null, files);
  const isWithin = (nats: number) => largest !== null && largest <= nats && hasSameFiles !== false;
  const isClose = isWithin(TOLERANCE_NATS);
  const holds = isClose && recorded === recomputed;
  const mayBeRounding = !isClose && isWithin(OTHER_DEVICE_NATS);
  const scores = differences?.length ?? 0;
  return { ok: true, value: { largest, scores, recorded, recomputed, hasSameFiles, holds, mayBeRounding } };
}

function sameFiles(a: RecordedFiles, b: RecordedFiles): boolean | null {
  return a && b && Object.keys({ ...a, ...b }).every((path) => a[path] === b[path]);
}

/** Absolute differences of scores of the same sections; null where sections differ. */
function differencesOf(recorded: ExplainResponse, again: ExplainResponse): number[] | null {
  const [before, after] = [placedScores(recorded), placedScores(again)];
  if (before.length !== after.length || before.some(([place], at) => place !== after[at]?.[0])) return null;
  // NaN on either side is not agreement.
  return before.map(([, score], at) => {
    const difference = Math.abs(score - (after[at]?.[1] ?? Number.NaN));
    return Number.isNaN(difference) ? Infinity : difference;
  });
}

function placedScores({ explanations, contrast }: ExplainResponse): [place: string, score: number][] {
  const compared: readonly Explanation[] = [
    ...explanations,
    ...(contrast ? [{ target: 'contrast', items: contrast.items }] : []),
  ];
  return compared.flatMap(({ items }, explanation) =>
    items.flatMap((item, index) =>
      scoresOf(item).map(([place, score]): [string, number] => [`${explanation} ${index} ${place}`, score]),
    ),
  );
}

function scoresOf(item: ExplanationItem): [place: string, score: number][] {
  if (item.type === 'token_ids') return item.scores.map((score, index) => [`${index}`, score]);
  if (item.type === 'image')
    return item.scores.map(({ rect: { left, top, width, height }, score }) => [
      [left, top, width, height].map((side) => side.toFixed(6)).join(' '),
      score,
    ]);
  return item.scores.map(({ start, length, score }) => [`${item.type} ${start} ${length}`, score]);
}
