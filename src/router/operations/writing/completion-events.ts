import type { CompleteEvent, CompleteResponse } from '../../../contract/likelihood/complete.ts';
import type { EventForm } from '../../response/events.ts';
import { bodyOf } from '../../response/respond.ts';

/** `POST /complete` with `stream`. @source recorded replies of the service */
export function completionEvents(version: string): EventForm<CompleteResponse> {
  return {
    progress: ({ written = [] }) => written.map((part): CompleteEvent => ({ type: 'stream_chunk', ...part })),
    last: ({ completions, num_tokens_prompt_total, num_tokens_generated }) => [
      ...completions.map(({ index, finish_reason }): CompleteEvent => ({
        ...{ type: 'stream_summary', index },
        ...{ model_version: version, finish_reason },
      })),
      { type: 'completion_summary', num_tokens_prompt_total, num_tokens_generated } satisfies CompleteEvent,
    ],
    failed: (failure) => [{ type: 'error', ...bodyOf(failure) } satisfies CompleteEvent],
  };
}
