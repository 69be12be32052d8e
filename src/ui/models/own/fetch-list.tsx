import type { Fetch } from '../../../state/models/own/fetches-store.ts';
import { shareOf } from '../../../state/models/engine-store.ts';
import { hubWords } from '../../../words/en/models/hub.ts';
import { durationText, sizeText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { useValueOf } from '../../use-stores.ts';
import styles from './own-models.module.css';
import { ProblemText } from './problem-text.tsx';
import { useOwnModels } from './use-own-models.ts';

/** Models on their way. */
export function FetchList() {
  const { fetches } = useOwnModels();
  const all = useValueOf(fetches, (state) => state.fetches);
  if (all.length === 0) return null;
  return (
    <ul className={styles.list}>
      {all.map((fetch) => (
        <FetchItem key={fetch.plan.name} fetch={fetch} />
      ))}
    </ul>
  );
}

function FetchItem({ fetch }: { readonly fetch: Fetch }) {
  const words = hubWords().fetches;
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

function stateText({ state, progress, pace }: Fetch): string {
  const words = hubWords().fetches;
  const [done, total] = [sizeText(progress.done), sizeText(progress.total)];
  if (state === 'elsewhere') return words.elsewhere;
  const whole = progress.comesWhole ? ` · ${words.comesWhole}` : '';
  if (state !== 'running') return words.paused(done, total) + whole;
  if (progress.phase === 'checking') return words.checking;
  if (progress.phase === 'waiting') return `${words.running(done, total)} · ${words.waiting}`;
  const speed = pace ? ` · ${words.speed(sizeText(pace.bytesPerSecond))}` : '';
  const left = typeof pace?.secondsLeft === 'number' ? ` · ${words.left(durationText(pace.secondsLeft))}` : '';
  return words.running(done, total) + speed + left + whole;
}
