import type { Failure } from '../../contract/failure.ts';
import type { Progress } from '../../contract/progress.ts';
import { EVENTS_TYPE } from '../../contract/wire/stream.ts';
import type { StreamForm } from './stream.ts';

/** What the events of an answer say: objects, written as JSON, or texts as they are. */
export interface EventForm<Value> {
  /** Events of a progress; none for nothing. */
  progress(progress: Progress): readonly (object | string)[];
  /** Events behind the last progress. */
  last(value: Value): readonly (object | string)[];
  failed(failure: Failure): readonly (object | string)[];
}

/** An answer as server-sent events, one `data` line each. @source HTML, section 9.2, "Server-sent events" */
export function serverSentEvents<Value>(form: EventForm<Value>): StreamForm<Value> {
  return {
    type: EVENTS_TYPE,
    isAlwaysUsed: true,
    progress: (progress) => written(form.progress(progress)),
    last: async (result) => written(result.ok ? form.last(result.value) : form.failed(result.failure)),
  };
}

function written(events: readonly (object | string)[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
}
