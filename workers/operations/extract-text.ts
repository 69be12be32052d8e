import { FailureError } from '../../src/contract/failure.ts';
import type { ExtractedText, ExtractTextJob } from '../../src/protocol/document-jobs.ts';
import { checkedParts } from '../documents/docx-package.ts';
import { textOfDocx } from '../documents/docx-text.ts';
import { UnreadableDocument } from '../documents/read-zip.ts';
import { ownBytes } from '../kernels/own-bytes.ts';
import type { JobContext } from './context.ts';

/**
 * Text of a Docx file, which may be anything at all.
 *
 * @throws {FailureError} INVALID_REQUEST for what cannot be read as a Docx file
 */
export async function extractText({ file, path }: ExtractTextJob, context: JobContext): Promise<ExtractedText> {
  try {
    const parts = await checkedParts(ownBytes(file));
    await context.checkpoint();
    return await textOfDocx(parts);
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    throw new FailureError('INVALID_REQUEST', `${path}: expected a Docx file, got ${error.message}`);
  }
}
