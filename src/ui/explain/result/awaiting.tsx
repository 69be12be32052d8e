import { promptWords } from '../../../words/en/explain/prompt.ts';
import { useStoreValue } from '../../use-stores.ts';
import { SizedPicture } from '../prompt/prompt-picture.tsx';
import { runText } from '../prompt/question-texts.ts';
import { nameOf } from '../texts.ts';
import styles from './awaiting.module.css';
import panel from './result-panel.module.css';

/** Before the first result: the prompt without colours, and what will happen to it. */
export function Awaiting() {
  const phase = useStoreValue('explain', (state) => state.phase);
  const question = useStoreValue('explain', (state) => state.question);
  const engine = useStoreValue('engine', (state) => state.status);
  const isRunning = phase.kind === 'running';
  const { picture, prompt, target } = phase.kind === 'running' ? phase.asked : question;
  return (
    <div className={`${panel.card} ${styles.awaiting}`} data-testid="awaiting">
      <p className={panel.lead}>
        {isRunning ? runText(phase.progress, engine).text : leadOf(phase.kind === 'stopped', target)}
      </p>
      {picture && (
        <div className={styles.picture}>
          <SizedPicture picture={picture} />
        </div>
      )}
      <p className={styles.text} data-running={isRunning || undefined} aria-hidden>
        {prompt}
      </p>
      <ol className={styles.steps}>
        {promptWords().result.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}

function leadOf(isStopped: boolean, target: string): string {
  const words = promptWords().result;
  if (isStopped) return words.stopped;
  const name = nameOf(target);
  return name === '' ? words.leadWithoutTarget : words.lead(name);
}
