import { namedObject, z } from './wire/zod.ts';
import { notServedByQa } from './not-served.ts';
import { PromptItem } from './prompt.ts';

/** Base64 characters of the largest Docx file that is read, 64 MiB. Decided here: the contract names no limit. */
const MAX_DOCX_CHARACTERS = Math.ceil((64 * 2 ** 20) / 3) * 4;

/** A Docx file (base64), a text, or a prompt that is read as it is. @source interface.md, POST /qa; facts §1.6 */
export const QaDocument = z
  .union(
    [
      z.strictObject({ docx: z.string().max(MAX_DOCX_CHARACTERS) }),
      z.strictObject({ text: z.string() }),
      z.strictObject({ prompt: z.array(PromptItem) }),
    ],
    { error: 'exactly one of docx, text, prompt' },
  )
  .meta({ id: 'QaDocument' });
export type QaDocument = z.infer<typeof QaDocument>;

/** Body of `POST /qa`. */
export const QaRequest = namedObject('QaRequest', {
  ...notServedByQa,
  /** Lightwell's own, for the hosted service names none; null or left out: the default model for answers. */
  model: z.string().min(1).nullish(),
  hosting: z.string().nullish(),
  query: z.string().min(1),
  documents: z.array(QaDocument),
  max_answers: z.number().int().min(1).max(200).default(30),
});
export type QaRequest = z.infer<typeof QaRequest>;

/** Answer to the query from one chunk; `evidence` is quoted verbatim from its document. */
export const QaAnswer = namedObject('QaAnswer', { answer: z.string(), score: z.number(), evidence: z.string() });
export type QaAnswer = z.infer<typeof QaAnswer>;

const Place = z.object({ start: z.number().int().min(0), length: z.number().int().min(1) });

/** Positions of an answer and its evidence in a `text` document, code points. Only progress has them. */
export const QaFound = namedObject('QaFound', {
  document: z.number().int().min(0).meta({ description: 'index in `documents`' }),
  score: z.number(),
  answer: Place.nullable().meta({ description: 'null for an answer that was written, not pointed at' }),
  sentence: Place.nullable().meta({ description: 'the sentence, or sentences, that the answer stands in' }),
  evidence: Place,
});
export type QaFound = z.infer<typeof QaFound>;

/** What a file may hold that its reader leaves out. */
const UNREAD_KINDS = [
  'picture',
  'chart',
  'diagram',
  'object', // embedded, such as a spreadsheet
  'part', // of another kind, such as a document within the document
  'equation',
  'symbol', // of a font that does not say which character it is, or the number of a clause that Word computes
  'font', // without the tables that turn its codes into characters
  'form', // of XFA, which only some readers show
  'field', // of a form, whose state the file does not say
  'annotation', // drawn on a page, without text that can be read
  'comment',
  'attachment', // a file within the file
  'textless_page', // blank, or a picture such as a scan
  'damage', // parts that cannot be unpacked or understood
  'hidden_text',
  'deleted_text', // by a tracked change
  'struck_text', // struck through, and read
  'reading_aid', // ruby: how the text below it is pronounced
  'page_number',
  'running_head',
  'metadata',
  'character', // of an encoding that the file does not state
  'unclosed_quote',
  'uneven_row', // of a table: fewer or more values than its header names
] as const;

/** How many parts of one kind a file holds that were not read, or that mean something else than they say: text that is struck through. */
export const UnreadPart = z.object({ kind: z.enum(UNREAD_KINDS), count: z.number().int().min(1) });
export type UnreadPart = z.infer<typeof UnreadPart>;

/** Such a part of a file that the page reads, with the encoding that its characters were recognised in. */
export interface UnreadFilePart extends UnreadPart {
  readonly encoding?: string;
}

/** Answer of `POST /qa`, best first. */
export const QaResponse = namedObject('QaResponse', {
  model_version: z.string(),
  answers: z.array(QaAnswer),
  not_read: z
    .array(UnreadPart.extend({ document: z.number().int().min(0) }))
    .optional()
    .meta({
      description: 'Parts of Docx files that were not read, by the index in `documents`; absent if none.',
    }),
});
export type QaResponse = z.infer<typeof QaResponse>;
