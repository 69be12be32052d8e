import type { Draft } from '../../explain/examples.ts';

/** What an example shows; a test asks the model for it. */
interface Shows {
  /** Whether the target is what the model itself says. */
  readonly isOwn: boolean;
  /** What the model says itself. */
  readonly says: string;
  /** The strongest section, by its words. */
  readonly top: string;
  /** A section that speaks against the target although its words speak for it. */
  readonly inverted?: string;
}

/** A question for a class. Its texts are in English, which the model reads; what it is to show is in the table of words. */
export interface ClassExample extends Omit<Draft, 'cut'> {
  readonly id: string;
  readonly granularity: 'word' | 'sentence';
  readonly shows: Shows;
}

const BORN =
  'Marta was born in Warsaw. Pavel was born in Prague. Both of them live in Berlin today.\n' +
  'Question: Where was Marta born?\nAnswer:';

/** Twelve, from what the model does well to where explanations mislead. */
export const CLASS_EXAMPLES = [
  {
    id: 'copy',
    prompt:
      "User: I want a table for two at Luigi's in Oakland at 7 pm.\n" +
      'Assistant: Your table is booked. Can I help you with anything else?\nUser: No, thank you.\nRestaurant:',
    target: " Luigi's",
    granularity: 'word',
    shows: { isOwn: true, says: " Luigi's", top: "Luigi's" },
  },
  {
    id: 'choice',
    prompt: BORN,
    target: ' Warsaw',
    granularity: 'word',
    shows: { isOwn: true, says: ' Warsaw', top: 'Warsaw' },
  },
  {
    id: 'rival',
    prompt: BORN,
    target: ' Prague',
    granularity: 'word',
    shows: { isOwn: false, says: ' Warsaw', top: 'Prague' },
  },
  {
    id: 'phrase',
    prompt:
      'Nandi found a small silver key under the old bridge. ' +
      'She put the key in her pocket and ran home to show it to her grandmother.\n' +
      'Question: Where did Nandi find the key?\nAnswer:',
    target: ' under the old bridge',
    granularity: 'word',
    shows: { isOwn: true, says: ' under the old bridge', top: 'old' },
  },
  {
    id: 'redundant',
    prompt:
      'Elena has a green bicycle. Her brother Tomas has a red scooter.\n' +
      "Question: What colour is Elena's bicycle?\nAnswer:",
    target: ' green',
    granularity: 'word',
    shows: { isOwn: true, says: ' green', top: 'green' },
  },
  {
    id: 'digits',
    prompt:
      'The train to Leeds leaves at 8:45 from platform 3. The train to York leaves at 9:10 from platform 5.\n' +
      'Question: When does the train to York leave?\nAnswer:',
    target: ' 9:10',
    granularity: 'word',
    shows: { isOwn: true, says: ' 9:10', top: ':' },
  },
  {
    id: 'not-simple',
    prompt: 'The bus does not stop at Fenwick. It stops at Harlow.\nQuestion: Where does the bus stop?\nAnswer:',
    target: ' Harlow',
    granularity: 'word',
    shows: { isOwn: true, says: ' Harlow', top: 'Harlow' },
  },
  {
    id: 'not-hard',
    prompt: 'Karl came to the party. Lena did not.\nQuestion: Who was not at the party?\nAnswer:',
    target: ' Lena',
    granularity: 'word',
    shows: { isOwn: false, says: ' Karl', top: 'Lena' },
  },
  {
    id: 'wrong-name',
    prompt:
      'On Saturday Redfield beat Ashton 4 to 1. On Sunday Millbrook beat Langley 3 to 2.\n' +
      'Question: Who beat Langley?\nAnswer:',
    target: ' Millbrook',
    granularity: 'word',
    shows: { isOwn: false, says: ' Redfield', top: 'Millbrook' },
  },
  {
    id: 'knowledge',
    prompt: 'Question: In which city is the Eiffel Tower?\nAnswer:',
    target: ' Paris',
    granularity: 'word',
    shows: { isOwn: false, says: ' Eiffel Tower', top: 'In' },
  },
  {
    id: 'sentiment',
    prompt: 'Review: The film was not bad at all.\nQuestion: Is the review positive or negative?\nAnswer:',
    target: ' positive',
    granularity: 'word',
    shows: { isOwn: false, says: ' negative', top: 'not' },
  },
  {
    id: 'sentences',
    prompt: 'Olga speaks French. Her husband speaks Greek.\nQuestion: Which language does her husband speak?\nAnswer:',
    target: ' Greek',
    granularity: 'sentence',
    shows: { isOwn: true, says: ' Greek', top: 'Her husband speaks Greek.', inverted: 'Olga speaks French.' },
  },
] as const satisfies readonly ClassExample[];

/** Name of an example, in links and in the table of words. */
export type ExampleId = (typeof CLASS_EXAMPLES)[number]['id'];

/** The example of that name. */
export function exampleOf(id: ExampleId): ClassExample & { readonly id: ExampleId } {
  const found = CLASS_EXAMPLES.find((one) => one.id === id);
  if (!found) throw new RangeError(`expected the name of an example, got ${id}`);
  return found;
}
