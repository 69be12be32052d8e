import type { Model } from './model.ts';

/** Models that ship with the app; `public/models/<name>` holds their files. */
export function embeddedModels(base: string): readonly Model[] {
  return [
    {
      name: 'lightwell-base',
      version: 'lightwell-base 2026-11',
      description:
        'Small decoder language model that ships with Lightwell. Reads task dialogues, short passages and stories; ' +
        'made for explanations and embeddings, not for knowledge.',
      folder: new URL('models/lightwell-base/', base).href,
      dtype: 'fp32',
      contextTokens: 1024,
      capabilities: ['embed', 'explain'],
    },
  ];
}

/** The catalogue: finds a model by the name a request gives. */
export interface Catalogue {
  readonly models: readonly Model[];
  /** The model a page loads at start. */
  readonly preferred: Model;
  find(name: string): Model | undefined;
}

/** @throws {RangeError} when the list is empty: a catalogue without models can answer nothing */
export function createCatalogue(models: readonly Model[]): Catalogue {
  const [preferred] = models;
  if (!preferred) throw new RangeError('expected at least one model, got none');
  return { models, preferred, find: (name) => models.find((model) => model.name === name) };
}
