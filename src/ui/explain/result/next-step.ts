/** The title of a problem, what to do next, and whether the same request can succeed. */
export interface NextStep {
  readonly title: string;
  readonly step: string;
  readonly canRetry: boolean;
}

const STEPS: Readonly<Record<string, NextStep>> = {
  PAYLOAD_ERROR: step('The request was not understood', 'Check the settings, then ask again.'),
  INVALID_REQUEST: step('The request cannot be carried out', 'Change the prompt or a setting, then ask again.'),
  PROMPT_TOO_LONG: step(
    'The prompt is too long',
    'Shorten the prompt or the target: both must fit the model’s context.',
  ),
  MISSING_CAPABILITY: step(
    'This model cannot do that',
    'Remove the picture, if there is one, or choose another model.',
  ),
  UNKNOWN_MODEL: step('Unknown model', 'Reload the page to see the models that it has.'),
  UNAUTHORIZED: step('The access token was not accepted', 'Reload the page to use its current token.'),
  TIMEOUT: step('The answer took too long', 'Ask again, or choose larger sections: fewer have to be computed.', true),
  QUEUE_FULL: step('Too many requests are waiting', 'Let the running requests finish, then ask again.', true),
  DEVICE_LOST: step('The device stopped', 'The model restarts. Try again.', true),
  OUT_OF_MEMORY: step('The device lacks memory', 'Shorten the prompt, or close other pages and programs.', true),
  MODEL_UNAVAILABLE: step('The model could not be loaded', 'Its files come from this site. Try again.', true),
  NO_WEBASSEMBLY: step(
    'WebAssembly is switched off',
    'Models run on it. Allow it for this site, for example in the settings for Lockdown Mode in Safari or for enhanced security in Edge; then reload the page.',
  ),
  CONNECTION: step('No answer came', 'Ask again; if it happens twice, reload the page.', true),
  INTERNAL: step('Internal error', 'Ask again; if it happens twice, reload the page.', true),
};

const UNKNOWN = step('Something went wrong', 'Ask again; if it happens twice, reload the page.', true);

function step(title: string, next: string, canRetry = false): NextStep {
  return { title, step: next, canRetry };
}

/** A refusal of the contract that a person can act on, by its form. */
const TOO_LONG =
  /^(?<what>prompt and target|prompt|target)[^:]*: expected at most (?<limit>\d+) tokens, got (?<least>at least )?(?<got>\d+)/;

/** What went wrong in the user's words and units. A message of another form stays as it is. */
export function problemText(message: string): string {
  const { what, limit, least, got } = TOO_LONG.exec(message)?.groups ?? {};
  if (what === undefined) return message;
  const [have, read] = [Number(got), Number(limit)].map((count) => count.toLocaleString('en'));
  const subject = what === 'prompt and target' ? 'Prompt and target have' : `The ${what} has`;
  return `${subject} ${least ? 'at least' : 'about'} ${have} tokens; this model reads up to ${read}.`;
}

/** The next step after a problem of that code; every code has one. */
export function nextStepAfter(code: string): NextStep {
  return STEPS[code] ?? UNKNOWN;
}
