import type { DataFile } from './evaluation.ts';

/** A question about a paragraph of Wikipedia. @source Rajpurkar et al. 2016, 2018; the data folder's README */
export interface SquadRow {
  readonly id: string;
  readonly title: string;
  readonly context: string;
  readonly question: string;
  /** Every annotator's answer; none where the paragraph does not answer the question (version 2.0 only). */
  readonly answers: readonly { readonly text: string; readonly start: number }[];
}

/** Part a of the development set: every question has an answer. */
export const SQUAD_1: DataFile = { from: 'data', path: 'eval/squad-v1.1-dev-a.jsonl.xz' };

/** Part a of the development set of version 2.0: half of the questions have no answer. */
export const SQUAD_2: DataFile = { from: 'data', path: 'eval/squad-v2.0-dev-a.jsonl.xz' };
