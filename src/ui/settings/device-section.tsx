import { settingsWords } from '../../words/en/settings.ts';
import { exactText } from '../../words/numbers.ts';
import { useStoreValue } from '../use-stores.ts';
import { Section, SelectField } from './fields.tsx';
import styles from './settings-page.module.css';

/** Most threads that can be chosen. */
const MOST = 16;

/** What models run on here, in place of what is measured. */
export function DeviceSection() {
  const words = settingsWords().device;
  const { backend, threads } = useStoreValue('settings', ({ settings }) => settings.device);
  const change = useStoreValue('settings', (state) => state.change);
  return (
    <Section title={words.title} about={words.about}>
      <SelectField
        label={words.backend}
        options={(['', 'webgpu', 'wasm'] as const).map((value) => ({ value, text: words.backends[value || 'auto'] }))}
        value={backend ?? ''}
        onChoose={(chosen) => void change({ device: { backend: chosen || null } })}
      />
      <SelectField
        label={words.threads}
        options={threadOptions(threads)}
        value={threads === null ? '' : String(threads)}
        onChoose={(chosen) => void change({ device: { threads: chosen === '' ? null : Number(chosen) } })}
      />
      <RunsOn />
    </Section>
  );
}

/** As many as there are cores; a number that was set on another device stays in the list. */
function threadOptions(set: number | null) {
  const words = settingsWords().device;
  const counts = Array.from({ length: Math.min(MOST, navigator.hardwareConcurrency) }, (_, index) => index + 1);
  const all = set === null || counts.includes(set) ? counts : [...counts, set];
  return [
    { value: '', text: words.backends.auto },
    ...all.map((count) => ({ value: String(count), text: exactText(count) })),
  ];
}

/** What the default model runs on now, with the figures by which that was chosen. */
function RunsOn() {
  const words = settingsWords().device;
  const model = useStoreValue('engine', (state) => state.model);
  const status = useStoreValue('engine', (state) => state.status);
  if (status.kind === 'loading') return <p className={styles.hint}>{words.loading(model)}</p>;
  if (status.kind === 'failed') return <p className={styles.hint}>{words.failed(model, status.problem.message)}</p>;
  const { backend, reason } = status.report;
  return <p className={styles.hint}>{words.runsOn(model, backend, reason)}</p>;
}
