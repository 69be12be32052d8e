import { FailureError } from '../../../src/contract/failure.ts';
import type { InspectJob, Inspection } from '../../../src/protocol/model-job.ts';
import { inspectFolder } from '../../engine/loading/inspect-folder.ts';

/**
 * Which tier a folder is of. A folder that cannot be used is an answer too: people are to see why.
 *
 * @throws what is no fault of the folder
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
