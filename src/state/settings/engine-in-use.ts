import type { ServiceSettings } from '../../contract/settings.ts';

/** An engine that may run some models of this page. */
export interface EngineInUse {
  readonly address: string;
  /** Host and port, for short texts. */
  readonly host: string;
  /** Names of the local models that it may run. */
  readonly models: readonly string[];
}

/** The engine to which what is entered here may go; null: nothing leaves the device. */
export function engineInUse({ engine }: Pick<ServiceSettings, 'engine'>): EngineInUse | null {
  const { address, models, whenHostingIsNull } = engine;
  const names = Object.keys(models);
  if (address === null || !whenHostingIsNull || names.length === 0) return null;
  return { address, host: new URL(address).host, models: names };
}

/** The engine's address in a `model_version`; null where the model ran here. */
export function ranAt(modelVersion: string): string | null {
  const [, place] = / @ (\S+)$/.exec(modelVersion) ?? [];
  return place ?? null;
}

/** A `model_version` without the place where it ran. */
export function versionAlone(modelVersion: string): string {
  return modelVersion.replace(/ @ \S+$/, '');
}
