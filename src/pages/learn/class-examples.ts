import { EXAMPLES } from '../../explanations/examples.ts';
import type { ExampleId } from './example-ids.ts';
import type { LessonTexts } from '../../parts/live/text-fields.tsx';

/** A question for a class, split by word unless `granularity` is set. */
type ClassExample = LessonTexts & { readonly granularity?: 'word' | 'sentence' };

const [TABLE, BIRTHPLACE, KEY] = EXAMPLES;

/**
 * Twelve questions for a class, from those that the model answers well to those whose explanations mislead. The model reads
 * English. A golden test checks the text of the page about each.
 */
export const CLASS_EXAMPLES: Readonly<Record<ExampleId, ClassExample>> = {
  copy: TABLE,
  choice: BIRTHPLACE,
  rival: { ...BIRTHPLACE, target: ' Prague' },
  phrase: KEY,
  redundant: {
    prompt:
      'Elena has a green bicycle. Her brother Tomas has a red scooter.\n' +
      "Question: What colour is Elena's bicycle?\nAnswer:",
    target: ' green',
  },
  digits: {
    prompt:
      'The train to Leeds leaves at 8:45 from platform 3. The train to York leaves at 9:10 from platform 5.\n' +
      'Question: When does the train to York leave?\nAnswer:',
    target: ' 9:10',
  },
  'not-simple': {
    prompt: 'The bus does not stop at Fenwick. It stops at Harlow.\nQuestion: Where does the bus stop?\nAnswer:',
    target: ' Harlow',
  },
  'not-hard': {
    prompt: 'Karl came to the party. Lena did not.\nQuestion: Who was not at the party?\nAnswer:',
    target: ' Lena',
  },
  'wrong-name': {
    prompt:
      'On Saturday Redfield beat Ashton 4 to 1. On Sunday Millbrook beat Langley 3 to 2.\n' +
      'Question: Who beat Langley?\nAnswer:',
    target: ' Millbrook',
  },
  knowledge: {
    prompt: 'Question: In which city is the Eiffel Tower?\nAnswer:',
    target: ' Paris',
  },
  sentiment: {
    prompt: 'Review: The film was not bad at all.\nQuestion: Is the review positive or negative?\nAnswer:',
    target: ' positive',
  },
  sentences: {
    prompt: 'Olga speaks French. Her husband speaks Greek.\nQuestion: Which language does her husband speak?\nAnswer:',
    target: ' Greek',
    granularity: 'sentence',
  },
};
