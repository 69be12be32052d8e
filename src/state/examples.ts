/** A question to start from. */
export interface Example {
  readonly title: string;
  readonly prompt: string;
  readonly target: string;
}

/** The first one fills the page at first start. The same texts are measured in `test/golden/context-prompts.json`. */
export const EXAMPLES: readonly [Example, ...Example[]] = [
  {
    title: 'A table for two',
    prompt:
      "User: I want a table for two at Luigi's in Oakland at 7 pm.\n" +
      'Assistant: Your table is booked. Can I help you with anything else?\n' +
      'User: No, thank you.\n' +
      'Restaurant:',
    target: " Luigi's",
  },
  {
    title: 'Where was Marta born?',
    prompt:
      'Marta was born in Warsaw. Pavel was born in Prague. Both of them live in Berlin today.\n' +
      'Question: Where was Marta born?\n' +
      'Answer:',
    target: ' Warsaw',
  },
  {
    title: 'The silver key',
    prompt:
      'Nandi found a small silver key under the old bridge. ' +
      'She put the key in her pocket and ran home to show it to her grandmother.\n' +
      'Question: Where did Nandi find the key?\n' +
      'Answer:',
    target: ' under the old bridge',
  },
];
