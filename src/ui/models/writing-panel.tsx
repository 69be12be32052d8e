import { writingOf, type Beginning, type Continuation } from '../../state/models/writing.ts';
import { engineWords } from '../../words/en/models/engine.ts';
import { modelsWords } from '../../words/en/models/page.ts';
import { engineText } from '../app/header/engine-text.ts';
import { LivePanel } from '../learn/live/live-panel.tsx';
import { TextField } from '../learn/live/text-fields.tsx';
import { useStores, useValueOf } from '../use-stores.ts';
import styles from './writing-panel.module.css';

/** Lets a model write, so that it is seen what it can do; for one without explanations there is no other page. */
export function WritingPanel({ model }: { readonly model: string }) {
  const { store, draft } = writingOf(useStores().models.getState(), model);
  const { asked, phase, edit } = useValueOf(store, (state) => state);
  const written = useValueOf(draft, (state) => state);
  const words = modelsWords().writing;
  return (
    <section aria-label={words.title}>
      <LivePanel
        name="writing"
        store={store}
        runLabel={words.write}
        isComplete={({ prompt }) => prompt !== ''}
        fields={
          <>
            <h2>{words.title}</h2>
            <TextField
              label={words.prompt}
              value={asked.prompt}
              testId="writing-prompt"
              onChange={(prompt) => edit({ prompt })}
            />
            {phase.kind === 'running' && written.text !== '' && <WrittenText {...written} />}
          </>
        }
      >
        {(found, of) => phase.kind !== 'running' && <Written found={found} of={of} />}
      </LivePanel>
    </section>
  );
}

function Written({ found, of }: { readonly found: Continuation; readonly of: Beginning }) {
  const { ends } = modelsWords().writing;
  return (
    <>
      <WrittenText prompt={of.prompt} text={found.text} />
      <p className={styles.note}>{found.end === 'maximum_tokens' ? ends.limit(found.tokens) : ends.itself}</p>
      <Place {...found} />
    </>
  );
}

/** Where it was written, as far as that can be told. */
function Place({ place, device }: Continuation) {
  const here = device && engineText({ kind: 'ready', report: device }).long;
  const text = place === null ? here : engineWords().inUse.badge(place);
  return (
    text !== null && (
      <p className={styles.note} data-testid="written-on">
        {text}
      </p>
    )
  );
}

/** What was typed, and what was written behind it. */
function WrittenText({ prompt, text }: { readonly prompt: string; readonly text: string }) {
  return (
    <p className={styles.written} lang="" data-testid="written-text">
      {prompt}
      <mark>{text}</mark>
    </p>
  );
}
