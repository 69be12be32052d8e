import { FailureError } from '../../src/contract/failure.ts';
import type { ExtractedText, Jobs } from '../../src/protocol/jobs.ts';
import { textOfDocx } from '../documents/docx.ts';
import { UnreadableDocument } from '../documents/read-zip.ts';
import { unsharedBytes } from '../kernels/float-arrays.ts';
import type { TaskContext } from '../serving/serve.ts';

/**
 * Extracts the text of a Docx file from any bytes.
 *
 * @throws {FailureError} INVALID_REQUEST for what cannot be read as a Docx file
 */
export async function extractText(
  { file, path }: Jobs['extractText']['input'],
  context: TaskContext,
): Promise<ExtractedText> {
  try {
    return await textOfDocx(unsharedBytes(file), context.checkpoint);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new FailureError('INVALID_REQUEST', `${path}: expected a Docx file, got ${error.message}`);
  }
}
