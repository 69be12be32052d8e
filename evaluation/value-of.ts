import type { Answer } from '../src/client/client.ts';

/** The value of an answer. @throws {Error} with the service's own words when it refused */
export async function valueOf<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const given = await answer;
  if (given.ok) return given.value;
  const { status, code, message } = given.problem;
  throw new Error(`the service answered ${status} ${code}: ${message}`);
}
