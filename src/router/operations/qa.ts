import { DESCRIBED } from '../../contract/description/operations.ts';
import { MAX_DOCX_CHARACTERS, type QaDocument } from '../../contract/qa.ts';
import type { ReadableDocument } from '../../protocol/document-jobs.ts';
import { operation, type InputTools } from '../operation.ts';
import { isEmpty, jobPrompt } from '../request/prompt.ts';
import { wellFormed } from '../request/text.ts';
import { shortest } from '../response/shortest-number.ts';

/** The operation has been deprecated for as long as Lightwell has answered it: 2026-11-21. @source interface.md, POST /qa */
const DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 10, 21) / 1000;

/** `POST /qa`. */
export const qa = operation({
  ...DESCRIBED.qa,
  kind: 'qa',
  use: 'qa',
  /** @source RFC 9745 */
  headers: {
    Deprecation: `@${DEPRECATED_SINCE_SECONDS}`,
    Link: '</openapi.json>; rel="deprecation"; type="application/json"',
  },
  wanted: ({ hosting, documents }) => ({ hosting, needed: documents.some(showsPicture) ? 'images' : undefined }),
  input: async (body, tools) => ({
    query: wellFormed(body.query, 'query'),
    documents: await readableDocuments(body.documents, tools),
    maxAnswers: body.max_answers,
  }),
  output: ({ answers }, { version }) => ({
    model_version: version,
    answers: answers.map(({ answer, score, evidence }) => ({ answer, score: shortest(Math.fround(score)), evidence })),
  }),
});

function showsPicture(document: QaDocument): boolean {
  return 'prompt' in document && document.prompt.some(({ type }) => type === 'image');
}

/** Everything is checked before the first file is read; the documents worker reads Docx files in turn. */
async function readableDocuments(documents: readonly QaDocument[], tools: InputTools): Promise<ReadableDocument[]> {
  const checked: (ReadableDocument | { readonly file: Uint8Array; readonly path: string })[] = [];
  for (const [index, document] of documents.entries()) {
    const path = `documents[${index}]`;
    if ('docx' in document) {
      const file = await tools.bytesOf(document.docx, `${path}.docx`, MAX_DOCX_CHARACTERS);
      checked.push({ file, path: `${path}.docx` });
    } else if ('text' in document)
      checked.push({ type: 'text', path: `${path}.text`, text: wellFormed(document.text, `${path}.text`) });
    else if (!document.prompt.every(isEmpty))
      checked.push({ type: 'prompt', prompt: await jobPrompt(document.prompt, `${path}.prompt`, tools) });
  }
  const readable: ReadableDocument[] = [];
  for (const each of checked)
    if ('file' in each) {
      const { text } = await tools.run('extractText', each);
      readable.push({ type: 'text', path: each.path, text: wellFormed(text, each.path) });
    } else readable.push(each);
  return readable;
}
