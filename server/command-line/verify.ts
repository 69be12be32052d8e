import { readFileSync } from 'node:fs';
import { createClient } from '../../src/client/client.ts';
import { readRecord } from '../../src/client/record/record.ts';
import { TOLERANCE_NATS, type Verification, verifyRecord } from '../../src/client/record/verify.ts';

/** What is verified, and through which server. */
export interface VerifyCommand {
  readonly kind: 'verify';
  readonly file: string;
  /** Of the tab that answers. */
  readonly token: string;
  /** Such as `http://localhost:5448/api`. */
  readonly url: string;
}

/** What became of it: a sentence for people, and whether the record holds. */
export interface Verdict {
  readonly text: string;
  readonly holds: boolean;
}

/** Has an open tab compute a record's explanation again. */
export async function verify({ file, token, url }: Omit<VerifyCommand, 'kind'>): Promise<Verdict> {
  const client = createClient({ fetch, baseUrl: url, token });
  try {
    const record = readRecord(readFileSync(file, 'utf8'));
    const answer = await verifyRecord(record, { client });
    if (answer.ok) return verdictOf(file, answer.value);
    const { status, code, message } = answer.problem;
    return { text: `${file}: the service answered ${status} ${code}: ${message}`, holds: false };
  } catch (error) {
    return { text: `${file}: ${reasonOf(error, url)}`, holds: false };
  }
}

function verdictOf(file: string, { largest, scores, recorded, recomputed, holds }: Verification): Verdict {
  const models =
    recorded === recomputed ? `by ${recorded}` : `recorded by ${recorded}, computed again by ${recomputed}`;
  if (largest === null) return { text: `${file}: differs: the sections are others (${models})`, holds };
  const difference = `largest difference ${largest.toExponential(1)} nats of ${scores} scores, ${TOLERANCE_NATS} allowed`;
  return { text: `${file}: ${holds ? 'holds' : 'differs'}: ${difference} (${models})`, holds };
}

function reasonOf(error: unknown, url: string): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` says only that it failed.
  return error instanceof TypeError ? `no server answers at ${url}; start one with lightwell` : error.message;
}
