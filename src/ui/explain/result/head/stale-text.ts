import { resultWords } from '../../../../words/en/explain/result.ts';
import { versionAlone } from '../../../../state/settings/engine-in-use.ts';
import type { Change } from '../../../../state/explain/question.ts';

/**
 * Why a result is not the answer to what stands on the page; null while it is.
 *
 * @param modelVersion  of the result; null where it was stopped before its end
 * @param changes       of the question since then
 * @param version       of the model that would answer now; undefined while that is not known
 */
export function staleText(
  { modelVersion }: { readonly modelVersion: string | null },
  changes: readonly Change[],
  version: string | undefined,
): string | null {
  const isOfOtherModel = modelVersion !== null && version !== undefined && versionAlone(modelVersion) !== version;
  const changed = [...changes, ...(isOfOtherModel ? (['model'] as const) : [])];
  const words = resultWords().stale;
  if (changed.length === 0) return modelVersion === null ? words.stopped : null;
  return words.changed(
    changed.map((name) => words.names[name]),
    changed.length === 1 && changed[0] !== 'settings',
  );
}
