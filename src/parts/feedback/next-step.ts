import { problemWords } from '../words.en.ts';
import { numberText } from '../../words/language.ts';

/** The same request can succeed later. */
const PASSING: ReadonlySet<string> = new Set<keyof ReturnType<typeof problemWords>['steps']>([
  'TIMEOUT',
  'QUEUE_FULL',
  'DEVICE_LOST',
  'OUT_OF_MEMORY',
  'MODEL_UNAVAILABLE',
  'CONNECTION',
  'INTERNAL',
]);

/** What the service says of itself, and what a person makes of it. */
const WORDINGS: readonly (readonly [form: RegExp, text: (number: string) => string])[] = [
  [/^expected an answer within ([\d.]+) s, got none$/, (seconds) => problemWords().messages.noAnswer(seconds)],
  [/^expected memory for a pass .*$/, () => problemWords().messages.noMemory],
  [/^expected a prompt of at most about (\d+) tokens.*$/, (tokens) => problemWords().messages.littleMemory(tokens)],
  [/^expected an answer of the model, got no readable word$/, () => ''], // the step says it
  [/^[\w.[\]]+: expected .*$/s, () => ''], // names a field of the request; the title says enough
];

/** What went wrong, in the user's words; empty where its title says it all. A message of another form stays as it is. */
export function problemText(message: string): string {
  for (const [form, text] of WORDINGS) {
    const match = form.exec(message);
    if (match) return text(numberText(Number(match[1] ?? 0)));
  }
  return message;
}

/** The title of a problem, what to do next, and whether the same request can succeed, by its code; every code has them. */
export function nextStepAfter(code: string) {
  const { steps, unknown } = problemWords();
  const known = new Map(Object.entries(steps)).get(code);
  return { ...(known ?? unknown), canRetry: !known || PASSING.has(code) };
}
