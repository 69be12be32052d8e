import { FailureError } from '../../src/contract/failure.ts';
import type { ExtractedText, ExtractTextJob } from '../../src/protocol/jobs.ts';
import { textOfDocx } from '../documents/docx.ts';
import { UnreadableDocument } from '../documents/read-zip.ts';
import { unsharedBytes } from '../kernels/float-arrays.ts';
import type { JobContext } from './context.ts';

/**
 * Extracts the text of a Docx file from any bytes.
 *
 * @throws {FailureError} INVALID_REQUEST for what cannot be read as a Docx file
 */
export async function extractText({ file, path }: ExtractTextJob, context: JobContext): Promise<ExtractedText> {
  try {
    return await textOfDocx(unsharedBytes(file), context.checkpoint);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new FailureError('INVALID_REQUEST', `${path}: expected a Docx file, got ${error.message}`);
  }
}
