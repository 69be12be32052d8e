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
  const isOfOtherModel = modelVersion !== null && version !== undefined && modelVersion !== version;
  const changed = [...changes, ...(isOfOtherModel ? ['model'] : [])];
  if (changed.length > 0) return `This result is out of date: ${listed(changed)} changed.`;
  return modelVersion === null ? 'Stopped before all sections were explained.' : null;
}

/** Such as `the prompt and the settings have`. */
function listed(names: readonly string[]): string {
  const [first, ...others] = names.map((name) => `the ${name}`);
  const last = others.pop();
  if (last === undefined) return `${first} ${first === 'the settings' ? 'have' : 'has'}`;
  return `${[first, ...others].join(', ')} and ${last} have`;
}
