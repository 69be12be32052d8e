import { FailureError } from '../../../src/contract/failure.ts';
import type { LoadedModel } from '../../engine/engine.ts';
import { SPAN_OUTPUTS } from '../../engine/rewrite/plan-network.ts';
import { extractiveReader } from './extractive-reader.ts';
import { generatingReader } from './generating-reader.ts';
import type { Reader } from './reader.ts';

/**
 * How a model answers: it points at a span if its head does that, else it writes.
 *
 * @throws {FailureError} MISSING_CAPABILITY for a model that can do neither, PROMPT_TOO_LONG for the query
 */
export function chooseReader(query: string, model: LoadedModel): Reader {
  const { outputs, vocabulary } = model.network.shape;
  if (SPAN_OUTPUTS.every((name) => outputs.includes(name))) return extractiveReader(query, model);
  if (vocabulary > 0) return generatingReader(query, model);
  throw new FailureError(
    'MISSING_CAPABILITY',
    `model: expected one that points at answers (${SPAN_OUTPUTS.join(', ')}) or writes them, got one that does neither`,
  );
}
