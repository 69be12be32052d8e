import type { ExplanationRecord, RecordedEngine } from '../../client/record/record.ts';
import { VERSION } from '../../contract/description/version.ts';
import type { Explanation } from '../../contract/explain.ts';
import { hasEstimates, type Outcome } from '../explain/outcome.ts';
import { requestOf } from '../explain/question.ts';
import type { EngineStatus } from '../models/engine-store.ts';
import type { ModelFacts } from '../models/models-store.ts';

/** What a record says beside request and response. */
export interface Recording {
  readonly facts: Pick<ModelFacts, 'version' | 'hashes'> | undefined;
  readonly engine: EngineStatus;
  readonly userAgent: string;
  readonly now: Date;
}

/** A complete result as a record, in JSON; null for one that is not complete, or has estimates: they need not come out again. */
export function recordText(outcome: Outcome, model: string, recording: Recording): string | null {
  const { modelVersion: version, question } = outcome;
  if (version === null || hasEstimates(outcome)) return null;
  const { facts, now } = recording;
  const record: ExplanationRecord = {
    lightwell_record: 1,
    recorded_at: now.toISOString(),
    request: requestOf(question, model),
    response: { model_version: version, explanations: explanationsOf(outcome) },
    exactness: 'exact',
    model: { name: model, version, files: facts?.version === version ? facts.hashes : null },
    engine: engineOf(recording),
  };
  return JSON.stringify(record, null, 2);
}

function engineOf({ engine, userAgent }: Recording): RecordedEngine {
  return { lightwell: VERSION, backend: engine.kind === 'ready' ? engine.report : null, user_agent: userAgent };
}

/** The page's prompts have no token ids, whose scores are written in another way while they are partial. */
export function explanationsOf({ explanations }: Pick<Outcome, 'explanations'>): Explanation[] {
  return explanations.map(({ target, items }) => ({
    target,
    items: items.flatMap((item) => (item.type === 'token_ids' ? [] : [item])),
  }));
}
