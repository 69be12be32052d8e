import { namedObject, z } from './wire/zod.ts';
import { PromptItem } from './prompt.ts';

/** Base64 characters of the largest Docx file that is read, 64 MiB. Decided here: the contract names no limit. */
export const MAX_DOCX_CHARACTERS = Math.ceil((64 * 2 ** 20) / 3) * 4;

/**
 * A document to answer from: exactly one of a Docx file (base64), a text, or a prompt that is read as it is.
 *
 * @source interface.md, POST /qa; contract facts §1.6
 */
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

/** Body of `POST /qa`. It names no model: settings do. */
export const QaRequest = namedObject('QaRequest', {
  hosting: z.string().nullish(),
  query: z.string().min(1),
  documents: z.array(QaDocument),
  max_answers: z.number().int().min(1).max(200).default(30),
});
export type QaRequest = z.infer<typeof QaRequest>;
/** The body as a client sends it, before defaults are filled in. */
export type QaBody = z.input<typeof QaRequest>;

/** Answer to the query from one chunk; `evidence` is quoted verbatim from its document. */
export const QaAnswer = namedObject('QaAnswer', { answer: z.string(), score: z.number(), evidence: z.string() });
export type QaAnswer = z.infer<typeof QaAnswer>;

const Place = z.object({ start: z.number().int().min(0), length: z.number().int().min(1) });

/**
 * Positions of an answer and its evidence in a `text` document, in code points. A response quotes both without positions
 * or document; progress has them, for each passage that was read.
 */
export const QaFound = namedObject('QaFound', {
  document: z.number().int().min(0).meta({ description: 'index in `documents`' }),
  score: z.number(),
  answer: Place.nullable().meta({ description: 'null for an answer that was written, not pointed at' }),
  sentence: Place.nullable().meta({ description: 'the sentence, or sentences, that the answer stands in' }),
  evidence: Place,
});
export type QaFound = z.infer<typeof QaFound>;

/** Answer of `POST /qa`, best first. */
export const QaResponse = namedObject('QaResponse', { model_version: z.string(), answers: z.array(QaAnswer) });
export type QaResponse = z.infer<typeof QaResponse>;
