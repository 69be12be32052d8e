import assert from 'node:assert/strict';
import type { Call } from './calls.ts';
import { type Outcome, valueAt } from './client.ts';

/** Checks what became of a call. @throws {AssertionError} */
export function checkOutcome({ refused, isAborted, args, gives = {} }: Call, outcome: Outcome): void {
  const { error, result, whole, pieces = 0 } = outcome;
  if (refused) {
    const { message, ...rest } = error ?? assert.fail('expected an error');
    assert.deepEqual(rest, { kind: 'api', type: 'invalid_request_error', param: rest.param, ...refused }, message);
  } else if (isAborted && args['stream'] !== true) {
    assert.equal(error?.kind, 'abort');
  } else {
    assert.equal(error, undefined);
    assert.ok(pieces < 100, `${pieces} pieces came after the abort`);
    if (whole !== undefined) checkStream(result, whole);
    for (const [path, expected] of Object.entries(gives)) assert.deepEqual(valueAt(result, path), expected, path);
  }
}

/** A streamed call must say what the call without `stream` says. */
function checkStream(result: unknown, whole: unknown): void {
  const choices = valueAt(whole, 'choices') as readonly object[]; // a result of either operation that streams
  const finishes = choices.map((choice) => valueAt(choice, 'finish_reason'));
  const texts = choices.map((choice) => valueAt(choice, 'text') ?? valueAt(choice, 'message.content'));
  assert.deepEqual([valueAt(result, 'finishes'), valueAt(result, 'texts')], [finishes, texts]);
  const usage = valueAt(result, 'usage');
  if (usage !== null) assert.deepEqual(usage, valueAt(whole, 'usage'));
}
