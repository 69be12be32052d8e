/** A set of texts to compare. */
export interface TextSet {
  /** Names it in the table of words. */
  readonly name: 'bank' | 'order' | 'negation' | 'topics';
  readonly texts: readonly string[];
}

/** Sets that show something; the first one stands on the page at first. The models read English. */
export const TEXT_SETS: readonly [TextSet, ...TextSet[]] = [
  {
    name: 'topics',
    texts: ['The train leaves at nine.', 'The train leaves at ten.', 'My cat sleeps all day.'],
  },
  {
    name: 'negation',
    texts: ['I like this film.', 'I do not like this film.', 'This film pleases me.'],
  },
  {
    name: 'order',
    texts: ['The dog bites the man.', 'The man bites the dog.', 'A hound snaps at a person.'],
  },
  {
    name: 'bank',
    texts: [
      'The bank lends money to the farmer.',
      'The farmer sits on the bank of the river.',
      'The credit union gives the farmer a loan.',
    ],
  },
];

/** A prompt whose layers are worth a look. */
export const LENS_EXAMPLE = {
  prompt: 'Elena has a green bicycle.\nQuestion: What colour is the bicycle?\nAnswer:',
  target: ' green',
};
