import type { ExplainResponse, Explanation, ExplanationItem } from '../../contract/explain.ts';
import type { Client, Problem, CallOptions } from '../client.ts';
import type { ExplanationRecord, RecordedModel } from './record.ts';

/** Runs of one model agree to this many nats. Measured: WebAssembly and a software WebGPU differ by up to 1.5e-5 nats. */
export const TOLERANCE_NATS = 1e-4;

/**
 * GPUs of which none was measured may round more coarsely, as those do that compute in 16 bits; and records of before 2026-11-25
 * that were made on a GPU hold its own sines, which change scores by up to 4.6e-4 nats.
 */
const OTHER_DEVICE_NATS = 1e-3;

/** A record beside its explanation computed again. */
export interface Verification {
  /** Largest absolute difference of two scores, nats; null where the sections are not the same, so that none correspond. */
  readonly largest: number | null;
  /** Scores that were compared. */
  readonly scores: number;
  /** Models, by name and version. */
  readonly recorded: string;
  readonly recomputed: string;
  /** Whether the files are the same; null where those of one side are not known. */
  readonly hasSameFiles: boolean | null;
  /** The same model, the same sections, and no difference above `TOLERANCE_NATS`. */
  readonly holds: boolean;
  /** The files do not differ, and the largest difference is more than one kind of device makes by rounding, and no more than two kinds do. */
  readonly mayBeRounding: boolean;
}

/** What a verification needs. */
export interface VerifyOptions extends CallOptions {
  readonly client: Pick<Client, 'explain'>;
  /** Files of the model that will answer, as in a record; left out: not known. */
  readonly files?: RecordedModel['files'];
}

/** Computes a record's explanation again, and compares. @throws {DOMException} AbortError */
export async function verifyRecord(
  record: ExplanationRecord,
  { client, files = null, ...call }: VerifyOptions,
): Promise<{ readonly ok: true; readonly value: Verification } | { readonly ok: false; readonly problem: Problem }> {
  const answer = await client.explain(record.request, call);
  if (!answer.ok) return answer;
  const recorded = record.response.model_version;
  const { model_version: recomputed } = answer.value;
  const differences = differencesOf(record.response, answer.value);
  const largest = differences && differences.reduce((most, each) => Math.max(most, each), 0);
  const hasSameFiles = sameFiles(record.model?.files ?? null, files);
  const mayBeRounding =
    largest !== null && largest > TOLERANCE_NATS && largest <= OTHER_DEVICE_NATS && hasSameFiles !== false;
  const holds = largest !== null && largest <= TOLERANCE_NATS && recorded === recomputed && hasSameFiles !== false;
  return {
    ok: true,
    value: { largest, scores: differences?.length ?? 0, recorded, recomputed, hasSameFiles, holds, mayBeRounding },
  };
}

function sameFiles(recorded: RecordedModel['files'], own: RecordedModel['files']): boolean | null {
  if (!recorded || !own) return null;
  const paths = Object.keys({ ...recorded, ...own });
  return paths.every((path) => recorded[path] === own[path]);
}

/** Absolute differences of scores of the same sections; null where sections differ. */
function differencesOf(recorded: ExplainResponse, again: ExplainResponse): number[] | null {
  const [before, after] = [placedScores(recorded), placedScores(again)];
  if (before.length !== after.length || before.some(([place], at) => place !== after[at]?.[0])) return null;
  // What is no number, on either side, is no agreement.
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
