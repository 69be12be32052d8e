import { figuresWords } from '../../../../words/en/explain/figures.ts';
import { exactText } from '../../../../words/numbers.ts';
import { codePointMap } from '../../../../contract/code-points.ts';
import type { Prompt, PromptItem } from '../../../../contract/prompt.ts';
import type { Cell } from '../../../../state/explain/export.ts';
import { addsLogarithm, type Settings } from '../../../../state/explain/question.ts';
import { factorText, timesFactor } from '../../texts.ts';

/**
 * The settings of a result in a sentence.
 *
 * @param fields  of the request; those that have no words here stand with their names
 */
export function settingsText(settings: Settings, fields: Readonly<Record<string, Cell>>): string {
  const { granularity, delimiter, factor, overlap, similarity } = settings;
  const words = figuresWords().settings;
  const others = Object.entries(fields).filter(([name]) => !IN_WORDS.has(name));
  return [
    granularity === 'custom' ? words.splitAt(delimiter.replaceAll('\n', '↵')) : words.split[granularity],
    (addsLogarithm(settings) ? words.add : words.multiply)(timesFactor(factor), factorText(factor)),
    words[overlap],
    similarity === null ? words.notSimilar : words.similar(exactText(similarity)),
    ...others.map(([name, value]) => `${name} ${value}`),
  ].join('; ');
}

/** Fields that the sentence, or another line of a figure, says in words. */
const IN_WORDS: ReadonlySet<string> = new Set([
  ...['unit', 'model', 'model_version', 'is_partial', 'target', 'target_granularity', 'prompt_granularity'],
  ...['control_factor', 'control_log_additive', 'control_token_overlap', 'contextual_control_threshold'],
]);

/** Parts of the prompt that had a factor of their own all the time; null where there are none. */
export function controlsText(prompt: Prompt): string | null {
  if (typeof prompt === 'string') return null;
  const controls = prompt.flatMap(controlsOf);
  return controls.length === 0 ? null : controls.join(', ');
}

function controlsOf(item: PromptItem): string[] {
  const words = figuresWords().settings;
  if (item.type === 'token_ids')
    return (item.controls ?? []).map(({ index, factor }) => words.token(index, timesFactor(factor)));
  if (item.type === 'image') return (item.controls ?? []).map(({ factor }) => words.ofPicture(timesFactor(factor)));
  const map = codePointMap(item.data);
  return (item.controls ?? []).map((control) => {
    const { start, length } = map.toUtf16(control);
    return words.text(item.data.slice(start, start + length), timesFactor(control.factor));
  });
}
