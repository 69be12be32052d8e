import type { ModelSource } from '../client/client.ts';
import { type Span, withoutSpans } from '../contract/code-points.ts';
import { promptOf, type Question } from './question.ts';

/** Log-likelihood of the target without a section of the text, nats; null if the call failed. */
export async function likelihoodWithout(
  section: Span,
  { question }: { readonly question: Question },
  { client, model }: ModelSource<'evaluate'>,
  signal?: AbortSignal,
): Promise<number | null> {
  const prompt = promptOf({ ...question, prompt: withoutSpans([...question.prompt], [section]) });
  const body = { model, prompt, completion_expected: question.target };
  const answer = await client.evaluate(body, { ...(signal && { signal }), nice: true });
  return answer.ok ? answer.value.result.log_probability : null;
}
