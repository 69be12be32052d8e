/** Names of the examples, in the order in which they are shown. */
export const EXAMPLE_IDS = [
  'copy',
  'choice',
  'rival',
  'phrase',
  'redundant',
  'digits',
  'not-simple',
  'not-hard',
  'wrong-name',
  'knowledge',
  'sentiment',
  'sentences',
] as const;

/** Name of an example, in links and in the words. */
export type ExampleId = (typeof EXAMPLE_IDS)[number];
