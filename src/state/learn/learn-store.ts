import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LearnSource } from './lessons/asked.ts';

/** The pages on which the models' numbers are learned from. The live examples are stores of their own, which load with them. */
export interface LearnState {
  readonly source: LearnSource;
}
export type LearnStore = StoreApi<LearnState>;

/** A store over the service's answers. */
export function createLearnStore(source: LearnSource): LearnStore {
  return createStore<LearnState>(() => ({ source }));
}
