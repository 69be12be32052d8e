import { writingStoreOf, type WritingPrompt, type Continuation } from '../../stores/writing.ts';
import { engineWords } from '../../parts/words.en.ts';
import { modelsWords } from './words.en.ts';
import { engineText } from '../../parts/engine-text.ts';
import { LivePanel } from '../../parts/live/live-panel.tsx';
import { TextField } from '../../parts/live/text-fields.tsx';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import styles from './writing-panel.module.css';

/** Lets a model continue a text; a model without explanations has no other page. */
export function WritingPanel({ model }: { readonly model: string }) {
  const { store, draft } = writingStoreOf(useStores().models.getState(), model);
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

function Written({ found, of }: { readonly found: Continuation; readonly of: WritingPrompt }) {
  const { ends } = modelsWords().writing;
  return (
    <>
      <WrittenText prompt={of.prompt} text={found.text} />
      <p className={styles.note}>{found.end === 'maximum_tokens' ? ends.limit(found.tokens) : ends.itself}</p>
      <Place {...found} />
    </>
  );
}

function Place({ place, device }: Continuation) {
  const here = device && engineText({ kind: 'ready', report: device }).long;
  const text = place === null ? here : engineWords().badge(place);
  return (
    text !== null && (
      <p className={styles.note} data-testid="written-on">
        {text}
      </p>
    )
  );
}

function WrittenText({ prompt, text }: { readonly prompt: string; readonly text: string }) {
  return (
    <p className={styles.written} lang="" data-testid="written-text">
      {prompt}
      <mark>{text}</mark>
    </p>
  );
}
