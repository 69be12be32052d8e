import { useEffect, useRef } from 'react';
import { memoryOf, type Model } from '../../../models/model.ts';
import { Button } from '../../../parts/buttons.tsx';
import { SettingsSection } from '../../../parts/fields/fields.tsx';
import { shareOf } from '../../../stores/status-stores.ts';
import { useStoreValue, useValueOf } from '../../../stores/use-stores.ts';
import { dateText, listText, numberText, sizeText } from '../../../words/language.ts';
import { modelsWords } from '../words.en.ts';
import { filesOfFolder, filesOfInput, type OwnModel } from './folders-store.ts';
import { DownloadList, HubSection, useOwnModels } from './hub-section.tsx';
import styles from './own-models.module.css';

/** Sources of other models than those of the app; open while there are downloads or added models. */
export function OwnModelsSection() {
  const { fetches, folders } = useOwnModels();
  const isBusy = useValueOf(fetches, (state) => state.fetches.length > 0);
  const hasOwn = useValueOf(folders, ({ models, opening }) => models.length > 0 || opening.kind !== 'none');
  return (
    <details className={styles.own} open={isBusy || hasOwn || undefined} data-testid="own-models">
      <summary>{modelsWords().own.summary}</summary>
      <DownloadList />
      <FolderSection />
      <HubSection />
      <PresetList />
      <StoredModelsSection />
    </details>
  );
}

/** `showDirectoryPicker`, which only Chromium has. */
type Picker = (options: { readonly mode: 'read' }) => Promise<FileSystemDirectoryHandle>;

/** Opens a folder of this device, dropped or picked. */
function FolderSection() {
  const words = modelsWords().own.folder;
  const { folders } = useOwnModels();
  const opening = useValueOf(folders, (state) => state.opening);
  const input = useRef<HTMLInputElement>(null);
  const { open } = folders.getState();
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = true; // React's types lack the attribute
  }, []);
  const pick = async () => {
    const { showDirectoryPicker: ask } = globalThis as { readonly showDirectoryPicker?: Picker };
    if (!ask) return input.current?.click();
    const folder = await ask({ mode: 'read' }).catch(() => null); // the user cancelled
    if (folder) await open(filesOfFolder(folder));
  };
  return (
    <SettingsSection title={words.title} about={words.about}>
      <div className={styles.row}>
        <p>{words.drop}</p>
        <Button onClick={() => void pick()}>{words.pick}</Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="model-folder"
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            if (files.length > 0) void open(Promise.resolve(filesOfInput(files)));
          }}
        />
      </div>
      <p role="status" data-testid="folder-outcome">
        {opening.kind === 'reading' && words.reading}
        {opening.kind === 'done' && words.done(listText(opening.names))}
        {opening.kind === 'nothing' && words.nothing}
        {opening.kind === 'failed' && words.failed(opening.message)}
      </p>
    </SettingsSection>
  );
}

function StoredModelsSection() {
  const words = modelsWords().own.kept;
  const { folders } = useOwnModels();
  const { models, space, lastUses } = useValueOf(folders, (state) => state);
  return (
    <SettingsSection title={words.title} about={words.about}>
      {models.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <ul className={styles.list} aria-label={words.table}>
          {models.map((model) => (
            <StoredModelItem key={model.name} model={model} usedAt={lastUseOf(model.name, lastUses)} />
          ))}
        </ul>
      )}
      {space && (
        <p className={styles.quiet}>
          {words.space(sizeText(space.used), sizeText(Math.max(0, space.allowed - space.used)))}
        </p>
      )}
    </SettingsSection>
  );
}

/** Of any kind of a folder's weights; null: none was used. */
function lastUseOf(name: string, lastUses: Readonly<Record<string, number>>): number | null {
  const uses = Object.entries(lastUses).filter(([used]) => `${used}:`.startsWith(`${name}:`));
  return uses.length === 0 ? null : Math.max(...uses.map(([, at]) => at));
}

function StoredModelItem({ model, usedAt }: { readonly model: OwnModel; readonly usedAt: number | null }) {
  const { name, bytes, isStored, copying, from, problem } = model;
  const words = modelsWords().own.kept;
  const { save, remove } = useOwnModels().folders.getState();
  const share = shareOf(copying);
  return (
    <li data-model={name}>
      <strong>{name}</strong>
      <span>
        {sizeText(bytes)} · {isStored ? words.isKept : words.isNot} · {words.used}:{' '}
        {usedAt === null ? words.never : dateText(usedAt)}
      </span>
      {from && <span className={styles.quiet}>{words.from(from.hub, from.commit.slice(0, 12))}</span>}
      {copying && <span>{words.copying(numberText(share ?? 0, { style: 'percent' }))}</span>}
      {problem !== null && <span role="alert">{words.problem(problem)}</span>}
      <span className={styles.row}>
        {!isStored && !copying && (
          <Button aria-label={words.keepOne(name)} onClick={() => void save(name)}>
            {words.keep}
          </Button>
        )}
        <Button aria-label={words.removeOne(name)} disabled={copying !== null} onClick={() => void remove(name)}>
          {words.remove}
        </Button>
      </span>
    </li>
  );
}

/** Models of the hub to start with, by task; choosing one looks it up. */
function PresetList() {
  const words = modelsWords().presets;
  return (
    <details data-testid="presets">
      <summary>{words.summary}</summary>
      <p className={styles.quiet}>{words.about}</p>
      {PRESET_TASKS.map((task) => (
        <section key={task} aria-label={words.tasks[task]}>
          <h3>{words.tasks[task]}</h3>
          <ul className={styles.list}>
            {MODEL_PRESETS.filter((preset) => preset.task === task).map((preset) => (
              <PresetItem key={preset.id} preset={preset} />
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
}

function PresetItem({ preset }: { readonly preset: Preset }) {
  const words = modelsWords().presets;
  const { hub } = useOwnModels();
  const address = useStoreValue('settings', ({ settings }) => settings.hub);
  const { id, licence, bytes } = preset;
  const sizes = Object.entries(bytes).map(([dtype, size]) => `${dtype}: ${sizeText(size)}`);
  const memory = memoryOfPreset(preset);
  const lookUp = () => {
    hub.getState().setWanted({ id, revision: 'main', subfolder: '', dtype: null });
    void hub.getState().lookUp(address);
  };
  return (
    <li data-preset={id}>
      <strong>{id}</strong>
      <span className={styles.quiet}>
        {words.licence}: {licence} · {words.size}: {sizes.length > 0 ? sizes.join(', ') : words.asked} · {words.memory}:{' '}
        {memory === null ? words.asked : words.aboutSize(sizeText(memory))} · {words.use}:{' '}
        {modelsWords().local.tiers.steered} {words.untried}.
      </span>
      <span className={styles.row}>
        <Button aria-label={words.ask(id)} onClick={lookUp}>
          {modelsWords().hub.ask}
        </Button>
      </span>
    </li>
  );
}

/** The tasks in the order in which they are shown. */
export const PRESET_TASKS = ['write', 'embed', 'read', 'see'] as const;
type PresetTask = (typeof PRESET_TASKS)[number];

/** A model of the hub that suits this page. Its publisher's facts; unknown ones are looked up in the hub. */
interface Preset {
  /** `owner/name` */
  readonly id: string;
  readonly task: PresetTask;
  /** As in its card. */
  readonly licence: string;
  /** Graph of the same family with random weights, whose tier is known: a row of the table in docs/models.md. */
  readonly family: string;
  /** Bytes of the graph in each weight type, if the pointers of the hub have them. */
  readonly bytes: Readonly<Partial<Record<Model['dtype'], number>>>;
}

/** @source the models' cards on the hub; bytes: the Git LFS pointers of its repositories */
export const MODEL_PRESETS: readonly Preset[] = [
  preset('write', 'onnx-community/Qwen3-0.6B-ONNX', 'apache-2.0', 'qwen3'),
  preset('write', 'HuggingFaceTB/SmolLM2-135M-Instruct', 'apache-2.0', 'llama'),
  preset('write', 'HuggingFaceTB/SmolLM2-360M-Instruct', 'apache-2.0', 'llama'),
  preset('write', 'onnx-community/gemma-3-270m-it-ONNX', 'gemma', 'gemma3'),
  preset('write', 'openai-community/gpt2', 'mit', 'gpt2-merged', { fp32: 655_189_339 }),
  preset('embed', 'Xenova/all-MiniLM-L6-v2', 'apache-2.0', 'bert', {
    fp32: 90_387_606,
    fp16: 45_297_825,
    q8: 22_972_370,
  }),
  preset('embed', 'Supabase/gte-small', 'mit', 'bert', { fp32: 133_093_491, q8: 34_014_427 }),
  preset('embed', 'Xenova/multilingual-e5-small', 'mit', 'bert'),
  preset('embed', 'Xenova/bge-small-en-v1.5', 'mit', 'bert'),
  preset('embed', 'onnx-community/embeddinggemma-300m-ONNX', 'gemma', 'gemma3'),
  preset('embed', 'onnx-community/Qwen3-Embedding-0.6B-ONNX', 'apache-2.0', 'qwen3'),
  preset('read', 'Xenova/distilbert-base-cased-distilled-squad', 'apache-2.0', 'distilbert'),
  preset('see', 'HuggingFaceTB/SmolVLM-256M-Instruct', 'apache-2.0', 'llama'),
];

function preset(task: PresetTask, id: string, licence: string, family: string, bytes: Preset['bytes'] = {}): Preset {
  return { id, task, licence, family, bytes };
}

/** Approximate memory, bytes, in 32-bit floats, as WebAssembly computes with all weights; null if no size is known. */
export function memoryOfPreset({ bytes }: Preset): number | null {
  const known = Object.values(bytes);
  return known.length === 0 ? null : memoryOf(Math.max(...known));
}
