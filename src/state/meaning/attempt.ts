/** What a store shows of work that can fail or be replaced. */
export interface WorkState {
  readonly isRunning: boolean;
  /** What went wrong last, for people; null: nothing. */
  readonly problem: string | null;
}

/** No work. */
export const AT_REST: WorkState = { isRunning: false, problem: null };

/** Work of which only the newest counts: an older one is aborted, and what it says is dropped. */
export interface Attempts {
  run(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  cancel(): void;
}

/** Attempts that tell a store how they fare. */
export function createAttempts(tell: (state: WorkState) => void): Attempts {
  let current: AbortController | null = null;
  const cancel = () => {
    current?.abort();
    current = null;
    tell(AT_REST);
  };
  return {
    async run(work) {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      tell({ isRunning: true, problem: null });
      try {
        await work(controller.signal);
      } catch (error) {
        if (controller.signal.aborted) return;
        return tell({ isRunning: false, problem: error instanceof Error ? error.message : String(error) });
      }
      if (current === controller) tell(AT_REST);
    },
    cancel,
  };
}
