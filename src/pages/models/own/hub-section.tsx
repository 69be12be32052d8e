import { type ComponentProps, useId } from 'react';
import { memoryOf, type Model } from '../../../models/model.ts';
import { Button, keyOf } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import { SelectField, SettingsSection } from '../../../parts/fields/fields.tsx';
import type { DownloadProblem, HubFound } from '../../../protocol/download-tasks.ts';
import { shareOf } from '../../../stores/status-stores.ts';
import { useStores, useStoreValue, useValueOf } from '../../../stores/use-stores.ts';
import { durationText, sizeText } from '../../../words/language.ts';
import { modelsWords } from '../words.en.ts';
import { type ModelDownload, ownModelsOf } from './own-models.ts';
import styles from './own-models.module.css';

/** The stores of the models that the user adds. */
export function useOwnModels() {
  return ownModelsOf(useStores().models.getState());
}

const DTYPES = ['fp32', 'fp16', 'q8', 'q4', 'q4f16'] as const satisfies readonly Model['dtype'][];

/** Looks a model up in the hub, and downloads it when the user agrees to size and licence. */
export function HubSection() {
  const words = modelsWords().hub;
  const { hub } = useOwnModels();
  const wanted = useValueOf(hub, (state) => state.wanted);
  const address = useStoreValue('settings', ({ settings }) => settings.hub);
  const { setWanted, lookUp } = hub.getState();
  const isNamed = wanted.id.trim() !== '';
  const look = () => isNamed && void lookUp(address);
  return (
    <SettingsSection title={words.title} about={words.about(address)}>
      <div className={styles.fields}>
        <TextField
          label={words.id}
          placeholder={words.example}
          value={wanted.id}
          spellCheck={false}
          onChange={(text) => setWanted({ id: text.trim() })}
          onEnter={look}
        />
        <SelectField
          label={words.dtype}
          options={[{ value: '', text: words.automatic }, ...DTYPES.map((dtype) => ({ value: dtype, text: dtype }))]}
          value={wanted.dtype ?? ''}
          onChoose={(dtype) => setWanted({ dtype: dtype === '' ? null : (dtype as Model['dtype']) })}
        />
        <Button disabled={!isNamed} onClick={look}>
          {words.ask}
        </Button>
      </div>
      <MoreFields onEnter={look} />
      <HubAnswer />
    </SettingsSection>
  );
}

/** Fields that few models need. */
function MoreFields({ onEnter }: { readonly onEnter: () => void }) {
  const words = modelsWords().hub;
  const { hub } = useOwnModels();
  const { revision, subfolder, token } = useValueOf(hub, (state) => state.wanted);
  const { setWanted } = hub.getState();
  return (
    <details>
      <summary>{words.more}</summary>
      <div className={styles.fields}>
        <TextField
          label={words.revision}
          value={revision}
          onChange={(text) => setWanted({ revision: text || 'main' })}
          onEnter={onEnter}
        />
        <TextField
          label={words.subfolder}
          value={subfolder}
          onChange={(text) => setWanted({ subfolder: text.replace(/^\/+|\/+$/g, '') })}
          onEnter={onEnter}
        />
        <TextField
          label={words.token}
          hint={words.tokenHint}
          type="password"
          autoComplete="off"
          value={token ?? ''}
          onChange={(text) => setWanted({ token: text || null })}
          onEnter={onEnter}
        />
      </div>
    </details>
  );
}

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  readonly label: string;
  readonly hint?: string;
  readonly onChange: (text: string) => void;
  readonly onEnter: () => void;
}

function TextField({ label, hint, onChange, onEnter, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className={styles.input}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => keyOf(event) === 'Enter' && onEnter()}
      />
      <p id={`${id}-hint`} className={styles.quiet}>
        {hint}
      </p>
    </div>
  );
}

function HubAnswer() {
  const words = modelsWords().hub;
  const { hub } = useOwnModels();
  const { answer, wanted } = useValueOf(hub, (state) => state);
  return (
    <div aria-live="polite" data-testid="hub-answer">
      {answer.kind === 'asking' && <p aria-busy>{words.asking(wanted.id)}</p>}
      {answer.kind === 'failed' && <ProblemText problem={answer.problem} />}
      {answer.kind === 'found' && <Found found={answer.found} />}
    </div>
  );
}

function Found({ found }: { readonly found: HubFound }) {
  const words = modelsWords().hub.found;
  const tiers = modelsWords().local.tiers;
  const { hub, folders } = useOwnModels();
  const space = useValueOf(folders, (state) => state.space);
  const { plan, bytes, dtype, choices, inspection } = found;
  const { licence, commit } = plan.from;
  const sizes = choices.map((choice) => `${choice.dtype}: ${sizeText(choice.bytes)}`).join(' · ');
  return (
    <div className={styles.found}>
      <strong>{plan.name}</strong>
      <dl>
        <dt>{words.size}</dt>
        <dd>
          {sizeText(bytes)} {space && words.free(sizeText(Math.max(0, space.allowed - space.used)))}
        </dd>
        <dt>{words.dtype}</dt>
        <dd>
          {dtype} {choices.length > 1 && `(${sizes})`}
        </dd>
        <dt>{words.memory}</dt>
        <dd>{words.aboutMemory(sizeText(memoryOf(inspection.weights.computedBytes)))}</dd>
        <dt>{words.licence}</dt>
        <dd>{licence ?? words.noLicence}</dd>
        <dt>{words.use}</dt>
        <dd>
          {tiers[inspection.tier]} {inspection.reason !== null && words.why(inspection.reason)}
        </dd>
        <dt>{words.commit}</dt>
        <dd>
          <code>{commit.slice(0, 12)}</code>
        </dd>
      </dl>
      {inspection.tier !== 'refused' && (
        <Button look="primary" onClick={hub.getState().startDownload}>
          {licence === null ? words.agreeWithout(sizeText(bytes)) : words.agree(sizeText(bytes), licence)}
        </Button>
      )}
    </div>
  );
}

/** The running and paused downloads. */
export function DownloadList() {
  const { fetches } = useOwnModels();
  const all = useValueOf(fetches, (state) => state.fetches);
  if (all.length === 0) return null;
  return (
    <ul className={styles.list}>
      {all.map((fetch) => (
        <DownloadItem key={fetch.plan.name} fetch={fetch} />
      ))}
    </ul>
  );
}

function DownloadItem({ fetch }: { readonly fetch: ModelDownload }) {
  const words = modelsWords().hub.fetches;
  const { fetches } = useOwnModels();
  const { pause, resume, cancel } = fetches.getState();
  const { plan, state, progress, problem } = fetch;
  const { name } = plan;
  const isOn = state === 'running' || state === 'elsewhere';
  return (
    <li data-fetch={name} data-state={state}>
      <strong>{name}</strong>
      <ProgressBar label={words.label(name)} share={shareOf(progress)} />
      <span>{stateText(fetch)}</span>
      {problem && <ProblemText problem={problem} />}
      <details>
        <summary>{words.files}</summary>
        <ul>
          {progress.files.map(({ path, done, total }) => (
            <li key={path}>
              <code>{path}</code> {words.running(sizeText(done), sizeText(total))}
            </li>
          ))}
        </ul>
      </details>
      <span className={styles.row}>
        {isOn ? (
          <Button aria-label={words.ofOne(words.pause, name)} onClick={() => pause(name)}>
            {words.pause}
          </Button>
        ) : (
          <Button aria-label={words.ofOne(words.resume, name)} onClick={() => void resume(name)}>
            {words.resume}
          </Button>
        )}
        <Button aria-label={words.ofOne(words.cancel, name)} onClick={() => void cancel(name)}>
          {words.cancel}
        </Button>
      </span>
    </li>
  );
}

function stateText({ state, progress, rate }: ModelDownload): string {
  const words = modelsWords().hub.fetches;
  const [done, total] = [sizeText(progress.done), sizeText(progress.total)];
  if (state === 'elsewhere') return words.elsewhere;
  const whole = progress.comesWhole ? ` · ${words.comesWhole}` : '';
  if (state !== 'running') return words.paused(done, total) + whole;
  if (progress.phase === 'checking') return words.checking;
  if (progress.phase === 'waiting') return `${words.running(done, total)} · ${words.waiting}`;
  const speed = rate ? ` · ${words.speed(sizeText(rate.bytesPerSecond))}` : '';
  const left = typeof rate?.secondsLeft === 'number' ? ` · ${words.left(durationText(rate.secondsLeft))}` : '';
  return words.running(done, total) + speed + left + whole;
}

/** A problem and its remedy; then the details, in English. */
function ProblemText({ problem }: { readonly problem: DownloadProblem }) {
  return (
    <div role="alert">
      <p className={styles.problem}>{modelsWords().hub.problems[problem.kind]}</p>
      <p className={styles.quiet} lang="en">
        {problem.detail}
      </p>
    </div>
  );
}
