import { useEngine, useExplain } from '../../use-stores.ts';
import { runText } from '../prompt/question-texts.ts';
import { nameOf } from '../texts.ts';
import { SizedPicture } from './heat/picture-heat.tsx';
import styles from './awaiting.module.css';
import panel from './result-panel.module.css';

/** Before the first result: the prompt as it stands in the dark, and what will happen to it. */
export function Awaiting() {
  const phase = useExplain((state) => state.phase);
  const question = useExplain((state) => state.question);
  const engine = useEngine((state) => state.status);
  const isRunning = phase.kind === 'running';
  const { picture, prompt, target } = phase.kind === 'running' ? phase.asked : question;
  return (
    <div className={`${panel.card} ${styles.awaiting}`} data-testid="awaiting">
      <p className={panel.lead}>
        {isRunning
          ? runText(phase.progress, engine).text
          : `What pushes the model towards ‘${nameOf(target) || 'the target'}’?`}
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
        <li>The model reads the prompt once and says how likely the target is.</li>
        <li>Then each section in turn is put in the dark: the attention paid to it is turned down.</li>
        <li>The more the target’s cross entropy rises without a section, the more that section supports it.</li>
      </ol>
    </div>
  );
}
