import { readFileSync } from 'node:fs';
import { isRecord } from '../../src/contract/records.ts';
import { FailureError, messageOf } from '../../src/contract/failure.ts';
import type { ServiceSettings, SettingsChange } from '../../src/contract/settings.ts';
import { shown, shownNames } from '../../src/contract/shown.ts';

/** The settings that mean something without a page. */
const NAMES: readonly (keyof ServiceSettings)[] = [
  'operator',
  'modelNames',
  'defaultModels',
  'timeoutMs',
  'maxWaiting',
];

/**
 * Reads the file of `--settings`. The service checks the values.
 *
 * @throws {FailureError} INVALID_REQUEST, in words for people, where it cannot be read, is not JSON, or sets something else
 */
export function readServerSettings(file: string): SettingsChange {
  const read = parsed(file);
  if (!isRecord(read)) throw new FailureError('INVALID_REQUEST', `${file}: expected an object, got ${shown(read)}`);
  const wrong = Object.keys(read).find((name) => !NAMES.some((each) => each === name));
  if (wrong === undefined) return read;
  throw new FailureError('INVALID_REQUEST', `${file}: expected only ${shownNames(NAMES)}, got ${shown(wrong)}`);
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FailureError('INVALID_REQUEST', `${file}: expected JSON, got ${messageOf(error)}`);
  }
}
