import manifest from './manifest.json' with { type: 'json' };
import margins from './margins.json' with { type: 'json' };
import type { Model } from './model.ts';

/** Models that ship with the app. @param base  URL of `public/models/` as it is served, with a folder for each */
export function embeddedModels(base: string): readonly Model[] {
  return [
    {
      name: 'lightwell-base',
      version: 'lightwell-base 2026-11',
      description:
        'Small language model that ships with Lightwell. Reads task dialogues, short passages and stories, and pictures ' +
        'of simple shapes; made for explanations and embeddings, not for knowledge.',
      folder: new URL('lightwell-base/', base).href,
      files: manifest['lightwell-base'],
      dtype: 'fp32',
      contextTokens: 1024,
      capabilities: ['embed', 'explain', 'images'],
      margins: margins['lightwell-base'],
    },
    {
      name: 'lightwell-embed',
      version: 'lightwell-embed 2026-11',
      description:
        'Small embedding model that ships with Lightwell: 5120 dimensions, of which the first 128 stand on their own; for ' +
        'comparing texts (symmetric), and for finding documents by queries.',
      folder: new URL('lightwell-embed/', base).href,
      files: manifest['lightwell-embed'],
      dtype: 'fp32',
      contextTokens: 1024,
      capabilities: ['semantic_embed', 'embed'],
    },
    {
      name: 'lightwell-reader',
      version: 'lightwell-reader 2026-11',
      description:
        'Small reader that ships with Lightwell. Points at the answer to a question in a passage, with a score that says ' +
        'how likely it is there.',
      folder: new URL('lightwell-reader/', base).href,
      files: manifest['lightwell-reader'],
      dtype: 'fp32',
      contextTokens: 512,
      capabilities: ['qa'],
    },
  ];
}

/** Finds a model by the name in a request. */
export type Catalogue = Readonly<ReturnType<typeof createCatalogue>>;

/** Creates a catalogue of initial models. @throws {RangeError} when the list is empty */
export function createCatalogue(models: readonly Model[]) {
  const all = [...models];
  const [preferred] = all;
  if (!preferred) throw new RangeError('expected at least one model, got none');
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const named = (name: string) => all.find((model) => model.name === name);
  return {
    get models(): readonly Model[] {
      return [...all];
    },
    /** The model that a page loads at start. */
    preferred,
    /** By name, or by name and kind of weights, such as `owner/name:q4`. */
    find: (name: string) => named(name) ?? all.find((model) => `${model.name}:${model.weights?.kind}` === name),
    isFound: (model: Model) => !models.includes(model),
    /** Adds a model. @throws {RangeError} for a name that is taken */
    add(model: Model) {
      if (named(model.name)) throw new RangeError(`there is a model named "${model.name}" already`);
      all.push(model);
      notify();
    },
    /** Removes an added model; an initial one stays. */
    remove(name: string) {
      const at = all.findIndex((model, index) => model.name === name && index >= models.length);
      if (at < 0) return;
      all.splice(at, 1);
      notify();
    },
    /** Called when models are added or removed. @returns ends the subscription */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
