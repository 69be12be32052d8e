import { FailureError } from '../../src/contract/failure.ts';
import type { ExtractedText, Jobs } from '../../src/protocol/jobs.ts';
import { textOfDocx } from '../documents/docx.ts';
import { UnreadableDocument } from '../documents/read-zip.ts';
import { unsharedBytes } from '../kernels/float-arrays.ts';
import type { TaskContext } from '../serving/serve.ts';

/** The text of a Docx file. @throws {FailureError} INVALID_REQUEST for bytes that cannot be read as one */
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
