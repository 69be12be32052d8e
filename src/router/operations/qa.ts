import { DESCRIBED } from '../../contract/description/operations.ts';
import { type CodePointMap, codePointMap, type Span } from '../../contract/code-points.ts';
import { MAX_DOCX_CHARACTERS, type QaDocument, type QaFound, type QaRequest } from '../../contract/qa.ts';
import type { PlacedAnswer, ReadableDocument } from '../../protocol/document-jobs.ts';
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
    answers: answers.map(({ answer, score, evidence }) => ({ answer, score: wireScore(score), evidence })),
  }),
  progress: ({ phase, done, total, answered }, body) => ({
    ...{ phase, done, total },
    ...(answered && { found: foundOnWire(answered, body) }),
  }),
});

function wireScore(score: number): number {
  return shortest(Math.fround(score));
}

/** A text of a request, its index there, and how to count in it. */
interface CountedText {
  readonly index: number;
  readonly map: CodePointMap;
}

/** By request, so that a long text is looked through once; null for a document that is no text of it. */
const counted = new WeakMap<QaRequest, readonly (CountedText | null)[]>();

function countedTexts(body: QaRequest): readonly (CountedText | null)[] {
  const known =
    counted.get(body) ??
    body.documents.flatMap((document, index) => {
      if (!isRead(document)) return [];
      return [('text' in document && { index, map: codePointMap(document.text) }) || null];
    });
  counted.set(body, known);
  return known;
}

function foundOnWire(answered: readonly PlacedAnswer[], body: QaRequest): QaFound[] {
  const texts = countedTexts(body);
  return answered.flatMap(({ document, score, answer, sentence, evidence }) => {
    const text = texts[document];
    if (!text) return [];
    const { index, map } = text;
    const placeOf = (span: Span | null) => span && map.toCodePoints(span);
    const places = { answer: placeOf(answer), sentence: placeOf(sentence), evidence: map.toCodePoints(evidence) };
    return [{ document: index, score: wireScore(score), ...places }];
  });
}

/** Blank prompts are left out of the job. */
function isRead(document: QaDocument): boolean {
  return !('prompt' in document) || !document.prompt.every(isEmpty);
}

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
    else if (isRead(document))
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
