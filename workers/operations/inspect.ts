import { FailureError } from '../../src/contract/failure.ts';
import type { InspectJob, Inspection } from '../../src/protocol/model-job.ts';
import { inspectFolder } from '../engine/loading/inspect-folder.ts';

/**
 * The tier of a folder. For one that cannot be used the result holds the reason.
 *
 * @throws errors that the folder did not cause
 */
export async function inspect(job: InspectJob): Promise<Inspection> {
  try {
    return await inspectFolder(job);
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'MODEL_UNAVAILABLE') throw error;
    const reason = error.message.replaceAll(job.folder, '');
    return { tier: 'refused', reason, capabilities: [], dtype: 'fp32', contextTokens: 0, kind: '' };
  }
}
