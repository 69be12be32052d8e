import type { PredictBody } from '../../contract/likelihood/predict.ts';
import type { Prompt, PromptItem } from '../../contract/prompt.ts';
import type { Section } from '../explain/influence.ts';
import type { Outcome } from '../explain/outcome.ts';
import { predictBodyOf } from '../explain/prediction.ts';
import { promptPartsOf } from './prompt-parts.ts';

/** Factors on the attention to sections, by their ids; a section that is not among them has the factor 1. */
export type Factors = ReadonlyMap<string, number>;

/** The request for what the model says with these factors: that of the result, and a control for each of them. */
export function bodyWith({ question, influence }: Outcome, factors: Factors, model: string): PredictBody {
  const body = predictBodyOf(question, model);
  const changed = influence.sections.filter(({ id }) => factors.has(id));
  return { ...body, prompt: withControls(body.prompt, changed, factors, question.settings.overlap) };
}

/**
 * A prompt of at most one picture and one text with controls added; without sections it stays as it is.
 *
 * @param sections  those of the prompt that have a factor
 */
function withControls(
  prompt: Prompt,
  sections: readonly Section[],
  factors: Factors,
  token_overlap: Outcome['question']['settings']['overlap'],
): Prompt {
  if (sections.length === 0) return prompt;
  const items: PromptItem[] = typeof prompt === 'string' ? [{ type: 'text', data: prompt }] : prompt;
  const shared = ({ id }: Section) => ({ factor: factors.get(id) ?? 1, token_overlap });
  const { picture, prompt: text } = promptPartsOf(sections);
  const onText = text.map((section) => ({ start: section.start, length: section.length, ...shared(section) }));
  const onPicture = picture.map((section) => ({ rect: section.rect, ...shared(section) }));
  return items.map((item) => {
    if (item.type === 'text') return { ...item, controls: [...(item.controls ?? []), ...onText] };
    if (item.type === 'image') return { ...item, controls: [...(item.controls ?? []), ...onPicture] };
    return item;
  });
}
