import { PICTURE_SIMILARITY } from '../client/ask-defaults.ts';
import type { Picture, Settings } from './question.ts';

/** Texts, and settings that fit them, that replace the question. */
export interface QuestionDraft {
  /** Loaded on demand; absent if the example has none. */
  readonly picture?: () => Promise<Picture>;
  readonly prompt: string;
  /** Empty: the model's own answer. */
  readonly target: string;
  /** How it is split into sections; absent: as the contract does by default. */
  readonly cut?: SectionSettings;
}

interface Example extends QuestionDraft {
  readonly name: 'table' | 'birthplace' | 'key' | 'star';
}

/** Settings of an example; the others do not change. */
type SectionSettings = Pick<Settings, 'granularity' | 'similarity'>;

/**
 * How a prompt with a picture is split: tiles of one object have the same information, so that suppressing one changes little.
 * Similar tiles are suppressed with it.
 */
export const PICTURE_SECTIONS: SectionSettings = { granularity: 'token', similarity: PICTURE_SIMILARITY };

/** The first one is shown at the first start. The same texts are measured in `test/golden/embedded/context-prompts.json`. */
export const EXAMPLES: readonly [Example, Example, Example] = [
  {
    name: 'table',
    prompt:
      "User: I want a table for two at Luigi's in Oakland at 7 pm.\n" +
      'Assistant: Your table is booked. Can I help you with anything else?\n' +
      'User: No, thank you.\n' +
      'Restaurant:',
    target: " Luigi's",
  },
  {
    name: 'birthplace',
    prompt:
      'Marta was born in Warsaw. Pavel was born in Prague. Both of them live in Berlin today.\n' +
      'Question: Where was Marta born?\n' +
      'Answer:',
    target: ' Warsaw',
  },
  {
    name: 'key',
    prompt:
      'Nandi found a small silver key under the old bridge. ' +
      'She put the key in her pocket and ran home to show it to her grandmother.\n' +
      'Question: Where did Nandi find the key?\n' +
      'Answer:',
    target: ' under the old bridge',
  },
];

/**
 * For models that read pictures: a scene whose pairs of shape and colour were excluded from the training.
 *
 * @source training/, vision/scenes/scenes.py, test scene 4955
 */
export const PICTURE_EXAMPLE: Example = {
  name: 'star',
  picture: async () => (await import('./example-picture.ts')).EXAMPLE_PICTURE,
  prompt: 'Question: Where is the star?\nAnswer:',
  target: ' at the top left',
  cut: PICTURE_SECTIONS,
};
