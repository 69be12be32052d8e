import type { ServiceSettings } from '../../contract/settings.ts';
import type { ModelChoices } from './settings-store.ts';

/** Names that the hosted service's public client and its examples use. */
const HOSTED = ['luminous-base', 'luminous-extended', 'luminous-supreme'].flatMap((name) => [name, `${name}-control`]);

/** The one of them that its semantic embeddings take. @source contract facts §1.4 */
const EMBEDDER = 'luminous-base';

/** What each of the hosted service's names stands for here: the default model of each operation. A name that is taken is left out. */
export function hostedNames(
  { modelNames, defaultModels }: Pick<ServiceSettings, 'modelNames' | 'defaultModels'>,
  { choices, models }: { readonly choices: ModelChoices; readonly models: readonly string[] },
): ServiceSettings['modelNames'] {
  const chosen = (use: keyof ModelChoices) =>
    choices[use].find((name) => name === defaultModels[use]) ?? choices[use][0];
  const [writer, embedder, reader] = [chosen('explain'), chosen('semantic_embed'), chosen('qa')];
  const forWriting = writer === undefined ? {} : Object.fromEntries(WRITING.map((use) => [use, writer]));
  const free = HOSTED.filter((name) => !Object.hasOwn(modelNames, name) && !models.includes(name));
  const named = free.map((name) => {
    const embeds = name === EMBEDDER && embedder !== undefined && { semantic_embed: embedder };
    return [name, { ...forWriting, ...embeds, ...(reader !== undefined && { qa: reader }) }] as const;
  });
  return Object.fromEntries(named.filter(([, uses]) => Object.keys(uses).length > 0));
}

const WRITING = ['explain', 'embed', 'evaluate', 'predict', 'complete'] as const;
