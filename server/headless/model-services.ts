import { join } from 'node:path';
import { LOCAL_MODELS_PATH } from '../../src/contract/wire/engine.ts';
import type { SettingsChange } from '../../src/contract/settings.ts';
import { embeddedModels } from '../../src/models/catalogue.ts';
import { createService } from '../../src/service/create-service.ts';
import type { ModelStatus, Service } from '../../src/service/service.ts';
import { findModels, type FoundModels } from '../model-files.ts';
import { SITE } from '../site/static-files.ts';
import { fetchFrom, type FilesByUrl, portOfThread, spawnThread } from './spawn-thread.ts';

/** What models and their files are relative to. No request goes there: threads read the files from the disk. */
const BASE = 'http://localhost/';
const OWN = BASE + LOCAL_MODELS_PATH;

/** How the services of a process without a page run. */
export interface ServicesOptions {
  readonly token: string;
  /** Absolute path of a folder with models; undefined: only the models of this package. */
  readonly models: string | undefined;
  /** Left out: as in a page where nothing was set. */
  readonly settings?: SettingsChange | undefined;
  readonly workers: number;
  /** Threads of ONNX Runtime in each of them. */
  readonly threads: number;
  /** Called when a worker thread has ended by itself. */
  readonly onThreadEnd?: () => void;
  /** Called with the loading status of a worker's default model. */
  readonly onModel?: (worker: number, status: ModelStatus) => void;
  readonly spawn?: typeof spawnThread;
}

/**
 * Services as in a page, each with worker threads of its own. A thread starts with its first job.
 *
 * @throws {Error} of the system call, where the folder of models cannot be read
 * @throws {FailureError} INVALID_REQUEST for a setting that is refused
 */
export async function createServices(options: ServicesOptions): Promise<readonly Service[]> {
  const { token, models, settings, workers, threads, onThreadEnd, onModel, spawn = spawnThread } = options;
  const own = models === undefined ? undefined : await findModels(models);
  const files: FilesByUrl = new Map(embeddedFiles().concat(own ? ownFiles(own) : []));
  const inference = () => portOfThread(spawn(threads, files), onThreadEnd);
  const documents = () => portOfThread(spawn(1, files), onThreadEnd);
  return Array.from({ length: workers }, (_, worker) =>
    createService({
      baseUrl: BASE,
      token,
      fetchFile: fetchFrom(files),
      onModel: (status) => onModel?.(worker, status),
      ...(settings && { settings }),
      workers: { inference, documents },
      ...(own && { localModels: listUrl(own) }),
    }),
  );
}

function embeddedFiles(): (readonly [url: string, path: string])[] {
  const folder = `${BASE}models/`;
  return embeddedModels(folder).flatMap(({ name, folder: url, files = {} }) =>
    Object.keys(files).map((path) => [url + path, join(SITE, 'models', name, path)] as const),
  );
}

function ownFiles({ folders, files }: FoundModels): (readonly [url: string, path: string])[] {
  return folders.flatMap((folder) =>
    Object.keys(folder.files).map((name) => {
      const path = files.get(decodeURIComponent(folder.path) + name) ?? '';
      return [new URL(OWN + folder.path + name).href, path] as const;
    }),
  );
}

function listUrl({ folders }: FoundModels): string {
  const listed = folders.map((folder) => ({ ...folder, path: OWN + folder.path }));
  return `data:application/json,${encodeURIComponent(JSON.stringify(listed))}`;
}
