import type { ExplainBody, ExplainResponse } from '../../contract/explain.ts';

/** An explanation with all that is needed to compute it again. */
export interface ExplanationRecord {
  /** Version of the form. */
  readonly lightwell_record: 1;
  /** ISO 8601. */
  readonly recorded_at: string;
  readonly request: ExplainBody;
  readonly response: ExplainResponse;
  /** Every score comes from a pass of its own; none is an estimate. */
  readonly exactness: 'exact';
  readonly model: RecordedModel;
  readonly engine: RecordedEngine;
}

/** The model that was explained. */
export interface RecordedModel {
  readonly name: string;
  /** Name and version. */
  readonly version: string;
  /** SHA-256 of its files by path, in hexadecimal; null where nothing vouches for them. */
  readonly files: Readonly<Record<string, string>> | null;
}

/** What the model ran on when the record was saved. */
export interface RecordedEngine {
  /** Version of Lightwell. */
  readonly lightwell: string;
  /** null where it was not known. */
  readonly backend: { readonly backend: string; readonly threads: number; readonly reason: string } | null;
  readonly user_agent: string;
}

/** Whether a text of unknown origin says that it is a record, of whatever version. */
export function saysRecord(text: string): boolean {
  return /^\s*\{\s*"lightwell_record"\s*:/.test(text);
}

/**
 * The record in a text of unknown origin. Fields that verifying does not read are not looked at.
 *
 * @throws {RangeError} naming the field, what was expected and what came
 */
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
  return record as unknown as ExplanationRecord; // what is read of it was looked at
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RangeError('record: expected JSON, got another text');
  }
}

function fieldsOf(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected(path, 'an object', value);
  return value as Readonly<Record<string, unknown>>;
}

function isExplanations(value: unknown): boolean {
  return isListOf(value, ({ items }) =>
    isListOf(items, ({ type, scores }) => typeof type === 'string' && Array.isArray(scores)),
  );
}

function isListOf(value: unknown, accepts: (fields: Readonly<Record<string, unknown>>) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((one: unknown) => typeof one === 'object' && one !== null && accepts({ ...one }));
}

function unexpected(path: string, expected: string, got: unknown): RangeError {
  return new RangeError(`${path}: expected ${expected}, got ${(JSON.stringify(got) ?? 'nothing').slice(0, 80)}`);
}
