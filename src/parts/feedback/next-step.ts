import { PROBLEM, problemWords } from '../words.en.ts';
import { numberText } from '../../words/language.ts';

/** The title of a problem, what to do next, and whether the same request can succeed. */
interface NextStep {
  readonly title: string;
  readonly step: string;
  readonly canRetry: boolean;
}

type Code = keyof typeof PROBLEM.steps;

/** The same request can succeed later. */
const PASSING: ReadonlySet<string> = new Set<Code>([
  ...(['TIMEOUT', 'QUEUE_FULL', 'DEVICE_LOST', 'OUT_OF_MEMORY', 'MODEL_UNAVAILABLE', 'CONNECTION'] as const),
  'INTERNAL',
]);

/** What the service says of itself, and what a person makes of it. */
const WORDINGS: readonly (readonly [form: RegExp, text: (number: string) => string])[] = [
  [/^expected an answer within ([\d.]+) s, got none$/, (seconds) => problemWords().messages.noAnswer(seconds)],
  [/^expected memory for a pass .*$/, () => problemWords().messages.noMemory],
  [/^expected a prompt of at most about (\d+) tokens.*$/, (tokens) => problemWords().messages.littleMemory(tokens)],
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

/** The next step after a problem of that code; every code has one. */
export function nextStepAfter(code: string): NextStep {
  const { steps, unknown } = problemWords();
  return isCode(code) ? { ...steps[code], canRetry: PASSING.has(code) } : { ...unknown, canRetry: true };
}

function isCode(code: string): code is Code {
  return Object.hasOwn(PROBLEM.steps, code);
}
