import { codePointMap } from '../../../../contract/code-points.ts';
import type { Prompt, PromptItem } from '../../../../contract/prompt.ts';
import type { Cell } from '../../../../state/explain/export.ts';
import { addsLogarithm, type Settings } from '../../../../state/explain/question.ts';
import { factorText } from '../../texts.ts';

/**
 * The settings of a result in a sentence.
 *
 * @param fields  of the request; those that have no words here stand with their names
 */
export function settingsText(settings: Settings, fields: Readonly<Record<string, Cell>>): string {
  const { granularity, delimiter, factor, overlap, similarity } = settings;
  const split = granularity === 'custom' ? `split at ‘${delimiter.replaceAll('\n', '↵')}’` : SPLITS[granularity];
  const others = Object.entries(fields).filter(([name]) => !IN_WORDS.has(name));
  return [
    split,
    `attention × ${factor} (${factorText(factor)}), ${addsLogarithm(settings) ? 'log-additive' : 'multiplicative'}`,
    `partly covered tokens ${overlap === 'partial' ? 'proportionally' : 'fully'}`,
    similarity === null ? 'similar tokens not dimmed' : `similar tokens dimmed too, from a cosine of ${similarity} on`,
    ...others.map(([name, value]) => `${name} ${value}`),
  ].join('; ');
}

const SPLITS: Readonly<Record<Exclude<Settings['granularity'], 'custom'>, string>> = {
  auto: 'split automatically',
  token: 'split by token',
  word: 'split by word',
  sentence: 'split by sentence',
  paragraph: 'split by paragraph',
};

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
  if (item.type === 'token_ids') return (item.controls ?? []).map((one) => `token ${one.index} × ${one.factor}`);
  if (item.type === 'image') return (item.controls ?? []).map((one) => `a part of the picture × ${one.factor}`);
  const map = codePointMap(item.data);
  return (item.controls ?? []).map((control) => {
    const { start, length } = map.toUtf16(control);
    return `‘${item.data.slice(start, start + length)}’ × ${control.factor}`;
  });
}
