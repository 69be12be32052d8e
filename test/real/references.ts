import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatMessage } from '../../src/contract/openai.ts';
import cases from './cases.json' with { type: 'json' };

/** A prompt with a target. */
interface Asked {
  readonly prompt: string;
  readonly target: string;
}

/** What every model is asked. */
export const CASES = cases as {
  /** Prompts with targets. */
  readonly likelihoods: readonly Asked[];
  readonly explained: readonly Asked[];
  readonly strings: readonly string[];
  readonly continued: readonly string[];
  readonly dialogue: readonly ChatMessage[];
  /** Tokens of a text that is written. */
  readonly written: number;
};

/** What `run.mjs` has made: folders of models, and what `reference.py` computed for each. */
export const CACHE = process.env['REAL_CACHE'] ?? '';

/** The file of comparisons, a line for each. */
export const COMPARED = process.env['REAL_COMPARED'] ?? '';

/** The day of the comparison. */
export const DAY = process.env['REAL_DAY'] ?? '';

/** Names of the models to compare. */
export const NAMES = (process.env['REAL_NAMES'] ?? '').split(',');

/** How likely a target is. */
interface Likelihood {
  readonly target: number;
  /** Log-probabilities of the likeliest tokens in each place of the target, descending. */
  readonly best: readonly (readonly number[])[];
}

/** By text and layer: the mean over the text's tokens. */
export type LayerStates = readonly (readonly (readonly number[])[])[];

/** What a decoder must give, as far as something else computes it. */
export interface DecoderReference {
  /** By string and token: start and length in code points. */
  readonly places: readonly (readonly (readonly [start: number, length: number])[])[];
  readonly likelihoods?: readonly Likelihood[];
  readonly continued?: readonly string[];
  readonly dialogue?: string;
  readonly layers?: LayerStates;
  readonly explained?: readonly {
    readonly additive: readonly number[];
    readonly multiplicative: readonly number[];
  }[];
}

/** What an embedder must give. */
export interface EmbedderReference {
  /** Tokens of each string. */
  readonly counts: readonly number[];
  readonly vectors: readonly (readonly number[])[];
  readonly layers?: LayerStates;
  /** Spearman's correlation on STS Benchmark dev, where its file is there. */
  readonly sts?: number;
}

/** The reference of a model; the caller knows its kind. */
export function referenceOf<Reference>(name: string): Reference {
  return JSON.parse(readFileSync(join(CACHE, 'references', `${name.replace('/', '_')}.json`), 'utf8')) as Reference;
}

/** Pairs of sentences with people's scores, where `EmbedderReference.sts` is there. */
export function stsPairs(): readonly { readonly a: string; readonly b: string; readonly score: number }[] {
  const text = readFileSync(join(CACHE, 'data/eval/sts-dev.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
