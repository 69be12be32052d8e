import type { Client } from '../src/client/client.ts';

/** A file that is measured on; one that ends in `.xz` is unpacked before the page sees it. */
export interface DataFile {
  /** `data`: the folder named by `--data`. `corpus`: the one named by `--corpus`, without which the evaluation is skipped. */
  readonly from: 'data' | 'corpus';
  /** Below that folder, with `/`. */
  readonly path: string;
}

/** A measured number, with its standard error where it has one. */
export type Figure = number | { readonly value: number; readonly error: number };

/** One row of a model card's table: what the model reaches, and beside it what is reached without it. */
export interface Row {
  readonly what: string;
  readonly model: Figure;
  /** Measured in the same run on the same items; the key names how. */
  readonly baselines: Readonly<Record<string, Figure>>;
  /** How many questions, pairs, pictures, … both figures rest on. */
  readonly items: number;
  /** What else belongs beside the figures, such as a chosen setting. */
  readonly note?: string;
}

/** What an evaluation is given. */
export interface Context {
  /** Calls of the contract: through the router, scheduler and workers of the app, on WebAssembly. */
  readonly client: Client;
  /** How many items to measure at most, drawn by a fixed seed (`measures/sample.ts`); undefined: all of them. */
  readonly sample: number | undefined;
  /** A file of `needs` as it is, unpacked. */
  bytes(file: DataFile): Promise<ArrayBuffer>;
  /** A file of `needs` that holds JSON lines; the caller knows the shape of a line. */
  lines<Line>(file: DataFile): Promise<readonly Line[]>;
  /** What was measured of an item in an earlier run that kept it (`--records`); else what `measure` finds, which is kept. */
  remembered<Value>(key: string, measure: () => Promise<Value>): Promise<Value>;
  /** Says how far the work has come, so that nobody thinks it hangs; call it as often as is handy. */
  progress(what: string, done: number, total: number): void;
}

/** A set, what is asked of a model on it, and what it is compared with. */
export interface Evaluation {
  /** As in `--only`. */
  readonly name: string;
  /** Heading of its table. */
  readonly title: string;
  /** The model that is measured. */
  readonly model: string;
  /** SHA-256 of its network; left out where it is embedded. */
  readonly network?: string;
  readonly needs: readonly DataFile[];
  /** Runs only where `--only` names it: it compares settings, and no model card shows it. */
  readonly onlyWhenNamed?: boolean;
  /** Keeps what it finds of each item with `remembered`; the driver makes tables of the records, and `run` gives no rows. */
  readonly recorded?: boolean;
  /** @throws {Error} when the service refuses a request: an evaluation never leaves items out */
  run(context: Context): Promise<readonly Row[]>;
}
