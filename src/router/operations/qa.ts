import { OPERATION_DOCS } from '../../contract/description/operation-docs.ts';
import { type CodePointMap, codePointMap, type Span } from '../../contract/code-points.ts';
import type { QaDocument, QaFound, QaRequest } from '../../contract/qa.ts';
import type { ReadableDocument } from '../../protocol/jobs.ts';
import { type InputTools, operation } from '../operation.ts';
import { decodeBase64, wellFormed } from '../request/text.ts';
import { isEmpty, jobPrompt } from '../request/prompt.ts';
import { shortest } from '../response/respond.ts';

/** The operation has been deprecated for as long as Lightwell has answered it: 2026-11-21. @source interface.md, POST /qa */
const DEPRECATED_SINCE_SECONDS = Date.UTC(2026, 10, 21) / 1000;

/** `POST /qa`. */
export const qaOperation = operation({
  ...OPERATION_DOCS.qa,
  kind: 'qa',
  use: 'qa',
  /** @source RFC 9745 */
  headers: {
    Deprecation: `@${DEPRECATED_SINCE_SECONDS}`,
    Link: '</openapi.json>; rel="deprecation"; type="application/json"',
  },
  wanted: ({ model, hosting, documents }) => ({
    model,
    hosting,
    needed: documents.some((document) => 'prompt' in document && document.prompt.some(({ type }) => type === 'image'))
      ? 'images'
      : undefined,
  }),
  input: async (body, tools) => ({
    ...body,
    query: wellFormed(body.query, 'query'),
    documents: await readableDocuments(body.documents, tools),
  }),
  output: ({ answers }, { body, input, version }) => {
    const unread = input.documents.flatMap((document, at) => unreadIn(document, countedTextsOf(body)[at]?.index ?? at));
    return {
      model_version: version,
      answers: answers.map(({ answer, score, evidence }) => ({ answer, score: wireScore(score), evidence })),
      ...(unread.length > 0 && { not_read: unread }),
    };
  },
  progress: ({ answered }, body) => answered && { found: answered.flatMap((each) => foundIn(body, each)) },
});

function unreadIn(document: ReadableDocument, index: number) {
  const unread = document.type === 'text' ? (document.unread ?? []) : [];
  return unread.map(({ kind, count }) => ({ document: index, kind, count }));
}

function wireScore(score: number): number {
  return shortest(Math.fround(score));
}

/** The texts of a request by their index in the job, with how to count in them; by request, so that each is mapped once. */
const countedTexts = new WeakMap<QaRequest, readonly { readonly index: number; readonly map: CodePointMap | null }[]>();

function countedTextsOf(body: QaRequest) {
  const known =
    countedTexts.get(body) ??
    body.documents.flatMap((document, index) =>
      isRead(document) ? [{ index, map: 'text' in document ? codePointMap(document.text) : null }] : [],
    );
  countedTexts.set(body, known);
  return known;
}

/** The position of an answer in code points; none for a document that is not a text of the request. */
function foundIn(body: QaRequest, { document, score, answer, sentence, evidence }: QaFound): QaFound[] {
  const { index, map } = countedTextsOf(body)[document] ?? {};
  if (index === undefined || !map) return [];
  const placeOf = (span: Span | null) => span && map.toCodePoints(span);
  const places = { answer: placeOf(answer), sentence: placeOf(sentence), evidence: map.toCodePoints(evidence) };
  return [{ document: index, score: wireScore(score), ...places }];
}

/** Blank prompts are left out of the job. */
function isRead(document: QaDocument): boolean {
  return !('prompt' in document) || !document.prompt.every(isEmpty);
}

/** Everything is checked before the first file is read; the documents worker reads Docx files in turn. */
async function readableDocuments(documents: readonly QaDocument[], tools: InputTools): Promise<ReadableDocument[]> {
  const checked: (ReadableDocument | { readonly file: Uint8Array; readonly path: string })[] = [];
  for (const [index, document] of documents.entries()) {
    const path = `documents[${index}]`;
    if ('docx' in document) {
      const file = await decodeBase64(document.docx, `${path}.docx`);
      checked.push({ file, path: `${path}.docx` });
    } else if ('text' in document)
      checked.push({ type: 'text', path: `${path}.text`, text: wellFormed(document.text, `${path}.text`) });
    else if (isRead(document))
      checked.push({ type: 'prompt', prompt: await jobPrompt(document.prompt, `${path}.prompt`, tools) });
  }
  const readable: ReadableDocument[] = [];
  for (const each of checked)
    if ('file' in each) {
      const { text, unread } = await tools.run('extractText', each);
      readable.push({ type: 'text', path: each.path, text: wellFormed(text, each.path), unread });
    } else readable.push(each);
  return readable;
}
