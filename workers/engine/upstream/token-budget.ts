import { FailureError } from '../../../src/contract/failure.ts';
import type { Device } from '../../../src/protocol/model-job.ts';

/** Special tokens, those that a text has more where sections were deleted, and one that is written. */
const RESERVE = 8;

/** Requests that together read and write no more tokens than settings allow; what each may take is reserved before it is sent. */
export function createTokenBudget({ address, maxTokens }: NonNullable<Device['upstream']>) {
  const most = maxTokens ?? Infinity;
  let [spent, reserved, largest] = [0, 0, 0];
  const check = (needed: number) => {
    if (needed <= most) return;
    const allowed = `expected requests of at most ${most} tokens together, as the settings allow for ${address}`;
    throw new FailureError('INVALID_REQUEST', `max_requests: ${allowed}, got about ${needed}`);
  };
  return {
    spent: () => spent,
    /** @throws {FailureError} INVALID_REQUEST where this number of requests like the largest one so far would take too many */
    checkPlan: (requests: number) => check(requests * (largest + RESERVE)),
    /**
     * Sends a request if there is room for it.
     *
     * @param text   that the server reads
     * @param send   its parameter is to be called for each time that the server may have read the text and gave no answer
     * @param extra  tokens that the server may write
     * @throws {FailureError} INVALID_REQUEST where it would take too many, and what `send` throws
     */
    async take<Answer extends { readonly spent: number }>(
      text: string,
      send: (onLost: () => void) => Promise<Answer>,
      extra = 0,
    ): Promise<Answer> {
      // A token has at least one byte; how many the whole prompt has is known after the first answer.
      const bytes = new TextEncoder().encode(text).length;
      const own = (largest === 0 ? bytes : Math.min(bytes, largest)) + extra + RESERVE;
      check(spent + reserved + own);
      reserved += own;
      try {
        const answer = await send(() => {
          spent += own;
          check(spent + reserved);
        });
        spent += answer.spent;
        largest = Math.max(largest, answer.spent);
        return answer;
      } finally {
        reserved -= own;
      }
    },
  };
}
