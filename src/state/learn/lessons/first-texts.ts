import { exampleOf } from '../class/class-examples.ts';
import type { Texts } from './asked.ts';

/** What stands in the live examples at first. The models read English; what each text shows is tested in `test/golden/embedded`. */
export const FIRST_TEXTS = {
  tokens: { text: 'The lighthouse keeper of Storvik photographs 47 cormorants.' },
  attention: {
    prompt:
      'Marta was born in Warsaw. Pavel was born in Prague. Both of them live in Berlin today.\n' +
      'Question: Where was Marta born?\nAnswer:',
    target: ' Warsaw',
  },
  granularity: {
    prompt: 'Olga speaks French. Her husband speaks Greek.\nQuestion: Which language does her husband speak?\nAnswer:',
    target: ' Greek',
  },
  layers: { texts: ['I like this film.', 'I do not like this film.', 'This film pleases me.'] },
} as const satisfies Readonly<
  Record<string, Texts | { readonly text: string } | { readonly texts: readonly string[] }>
>;

/** Three explanations that mislead; the target is what is true, and not what the model says. */
export const LIMITS = {
  negation: exampleOf('not-hard'),
  sentiment: exampleOf('sentiment'),
  knowledge: exampleOf('knowledge'),
} as const satisfies Readonly<Record<string, Texts>>;
export type Limit = keyof typeof LIMITS;

/** Another target for the second lesson's prompt: one that the prompt names, and the model does not say. */
export const RIVAL_TARGET = ' Prague';
