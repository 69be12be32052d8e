import type { Keeping } from '../../../models/keeping/keeping.ts';
import type { KeptModels } from '../../../models/keeping/kept-models.ts';
import type { HeldFiles } from '../../../models/model.ts';
import type { KeptModel } from '../../../protocol/keeping/kept-model.ts';
import type { EngineReport } from '../engine-store.ts';

/** Where models are listed, and what the page notes of them. */
export interface ModelHome {
  /** Lists a folder that the page holds, in place of one of its name. @throws where that is refused; the message is for people */
  addFolder(folder: { readonly name: string; readonly held: HeldFiles }): Promise<unknown>;
  removeModel(name: string): void;
  /** What computes a model's passes, and why that. @throws where it cannot be loaded; the message is for people */
  deviceOf(name: string): Promise<EngineReport>;
  /** When requests used each model last, in milliseconds since 1970. */
  lastUses(): Readonly<Record<string, number>>;
}

/** What the browser keeps, and how much it may. Tests replace it. */
export interface ModelShelf {
  list(): Promise<KeptModels>;
  open(model: KeptModel): Promise<HeldFiles>;
  remove(name: string): Promise<void>;
  /** Null where the browser does not tell. */
  space(): Promise<{ readonly used: number; readonly allowed: number } | null>;
  /** Asks the browser to keep what is kept until somebody removes it. */
  persist(): Promise<boolean>;
  readonly locks: Pick<LockManager, 'request'>;
}

/** What the stores work with. */
export interface OwnModelsSource {
  readonly home: ModelHome;
  readonly shelf: ModelShelf;
  readonly keeping: Keeping;
}
