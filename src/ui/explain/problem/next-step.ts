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
  TIMEOUT: step('The answer took too long', 'Ask again, choose larger sections, or raise the time-out.', true),
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

/** What the service says of itself, and what a person makes of it. */
const WORDINGS: readonly (readonly [form: RegExp, text: string])[] = [
  [
    /^expected an answer within ([\d.]+) s, got none$/,
    'No answer within the time-out of $1 s, which More settings has.',
  ],
  [/^expected memory for a pass .*$/, 'There is not enough memory for the model at present.'],
  [/^expected a prompt of at most about (\d+) tokens.*$/, 'At present this device has memory for about $1 tokens.'],
  [/^[\w.[\]]+: expected .*$/s, ''], // names a field of the request; the title says enough
];

/** What went wrong, in the user's words; empty where its title says it all. A message of another form stays as it is. */
export function problemText(message: string): string {
  const wording = WORDINGS.find(([form]) => form.test(message));
  return wording ? message.replace(...wording) : message;
}

/** The next step after a problem of that code; every code has one. */
export function nextStepAfter(code: string): NextStep {
  return STEPS[code] ?? UNKNOWN;
}
