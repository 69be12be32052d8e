import { memoryOfPreset, type Preset, PRESET_TASKS, PRESETS } from '../../../state/models/own/presets.ts';
import { hubWords } from '../../../words/en/models/hub.ts';
import { localModelsWords } from '../../../words/en/models/local.ts';
import { presetWords } from '../../../words/en/models/presets.ts';
import { sizeText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { useStoreValue } from '../../use-stores.ts';
import styles from './own-models.module.css';
import { useOwnModels } from './use-own-models.ts';

/** Models of the hub to start with, by task; one that is chosen is looked up, and fetched when size and licence are agreed to. */
export function PresetList() {
  const words = presetWords();
  return (
    <details data-testid="presets">
      <summary>{words.summary}</summary>
      <p className={styles.quiet}>{words.about}</p>
      {PRESET_TASKS.map((task) => (
        <section key={task} aria-label={words.tasks[task]}>
          <h3>{words.tasks[task]}</h3>
          <ul className={styles.list}>
            {PRESETS.filter((preset) => preset.task === task).map((preset) => (
              <PresetItem key={preset.id} preset={preset} />
            ))}
          </ul>
        </section>
      ))}
    </details>
  );
}

function PresetItem({ preset }: { readonly preset: Preset }) {
  const words = presetWords();
  const { hub } = useOwnModels();
  const address = useStoreValue('settings', ({ settings }) => settings.hub);
  const { id, licence, bytes } = preset;
  const sizes = Object.entries(bytes).map(([dtype, size]) => `${dtype}: ${sizeText(size)}`);
  const memory = memoryOfPreset(preset);
  const lookUp = () => {
    hub.getState().want({ id, revision: 'main', subfolder: '', dtype: null });
    void hub.getState().ask(address);
  };
  return (
    <li data-preset={id}>
      <strong>{id}</strong>
      <span className={styles.quiet}>
        {words.licence}: {licence} · {words.size}: {sizes.length > 0 ? sizes.join(', ') : words.asked} · {words.memory}:{' '}
        {memory === null ? words.asked : words.aboutSize(sizeText(memory))} · {words.use}:{' '}
        {localModelsWords().tiers.steered} {words.untried}.
      </span>
      <span className={styles.row}>
        <Button aria-label={words.ask(id)} onClick={lookUp}>
          {hubWords().ask}
        </Button>
      </span>
    </li>
  );
}
