import type { DownloadsClient, ModelStorage } from '../downloads/downloads.ts';
import type { HeldFiles } from '../models/model.ts';
import type { EngineReport } from './status-stores.ts';

/** Where models are listed, and what the page notes of them. */
export interface ModelRegistry {
  /** Lists a folder that the page holds, in place of one of its name. @throws where that is refused; the message is for people */
  addFolder(folder: { readonly name: string; readonly held: HeldFiles }): Promise<unknown>;
  removeModel(name: string): void;
  /** What computes a model's passes, and why that. @throws where it cannot be loaded; the message is for people */
  deviceOf(name: string): Promise<EngineReport>;
  /** When requests used each model last, in milliseconds since 1970. */
  lastUses(): Readonly<Record<string, number>>;
}

/** What the stores work with. */
export interface OwnModelsSource {
  readonly home: ModelRegistry;
  readonly storage: ModelStorage;
  readonly downloads: DownloadsClient;
}
