import type { PersistStorage } from 'zustand/middleware';
import { asIs, createFieldStorage } from '../storage/field-storage.ts';
import type { Memory } from '../storage/memory.ts';
import { keptOf, type Outcome, readOutcome } from './outcome.ts';
import { isRecord, type Picture, type Question, readQuestion, withoutPicture } from './question.ts';

/** The question and its last outcome. */
export interface Asked {
  readonly question: Question;
  readonly last: Outcome | null;
}

/** What survives a reload. Pictures have fields of their own, so that they are stored only when they change. */
export interface Kept {
  readonly question: Question;
  readonly picture: Picture | null;
  /** Undefined leaves the older one. */
  readonly outcome: Outcome | null | undefined;
  readonly outcomePicture: Picture | null | undefined;
}

/** Storage for the explain page. */
export function createKeptStorage(memory: Memory): PersistStorage<Kept> {
  return createFieldStorage<Kept>(memory, {
    question: withoutPicture,
    picture: asIs,
    outcome: keptOf,
    outcomePicture: asIs,
  });
}

/** Reading and writing storage blocks the page; a result of more scores is computed again. */
const KEPT_SCORES = 5000;

/** The stored part of a state. An incomplete outcome is not stored: the older one stays. */
export function keptIn({ question, last }: Asked): Kept {
  const { picture } = question;
  if (last?.modelVersion === null) return { question, picture, outcome: undefined, outcomePicture: undefined };
  const outcome = last && isSmall(last) ? last : null;
  return { question, picture, outcome, outcomePicture: outcome && outcome.question.picture };
}

function isSmall({ influence }: Outcome): boolean {
  return influence.sections.length * influence.targets.length <= KEPT_SCORES;
}

/** The valid part of stored values; a damaged question or outcome is left out. */
export function readKept(kept: unknown): Partial<Asked> {
  if (!isRecord(kept)) return {};
  const question = readQuestion(kept['question'], kept['picture']);
  return { ...(question && { question }), last: readOutcome(kept['outcome'], kept['outcomePicture']) };
}
