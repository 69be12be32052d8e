import { PromptHeat } from '../../figures/heat/heat-map.tsx';
import type { ReactNode } from 'react';
import type { QuestionDraft } from '../../explanations/examples.ts';
import type { Outcome } from '../../explanations/outcome.ts';
import { SeparateSelection } from '../../figures/section-links.ts';
import { Button } from '../../parts/buttons.tsx';
import { LivePanel } from '../../parts/live/live-panel.tsx';
import { LoadedNote } from '../../parts/live/loaded-note.tsx';
import { Terms } from '../../parts/live/terms.tsx';
import { TextField } from '../../parts/live/text-fields.tsx';
import { liveWords } from '../../parts/live/words.en.ts';
import { hashOfPage } from '../../stores/page-store.ts';
import type { LiveStore } from '../../stores/live-store.ts';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import { numberText } from '../../words/language.ts';
import { learnWords } from './words.en.ts';
import styles from './lesson.module.css';

/** The lessons, in reading order. */
export const LESSONS = ['tokens', 'attention', 'granularity', 'sinks', 'layers', 'limits'] as const;
type Lesson = (typeof LESSONS)[number];

/** A lesson: a few sentences with explained terms, and a live example. */
export function LessonFrame({ lesson, children }: { readonly lesson: Lesson; readonly children: ReactNode }) {
  const words = learnWords();
  const { title, text } = words[lesson];
  const { source } = useStores().learn.getState();
  return (
    <article className={styles.lesson} data-testid="lesson">
      <p className={styles.number}>{words.lesson(numberText(LESSONS.indexOf(lesson) + 1))}</p>
      <h2 className={styles.title}>{title}</h2>
      {text.map((sentences) => (
        <p key={sentences} className={styles.text}>
          <Terms text={sentences} />
        </p>
      ))}
      <LoadedNote model={source.model} className={styles.text} />
      {children}
    </article>
  );
}

/** A live example with one text to change. */
export function TextPanel<Found>(props: {
  readonly store: LiveStore<{ readonly text: string }, Found>;
  readonly first: { readonly text: string };
  readonly children: (found: Found, asked: { readonly text: string }) => ReactNode;
}) {
  const { asked, edit } = useValueOf(props.store, (state) => state);
  const field = (
    <TextField label={liveWords().text} value={asked.text} testId="live-prompt" onChange={(text) => edit({ text })} />
  );
  return <LivePanel {...props} isComplete={({ text }) => text !== ''} fields={field} />;
}

/** Opens a question on the Explain page and explains it there; Undo on that page restores what it replaces. */
export function OpenButton({ label = liveWords().open, ...draft }: QuestionDraft & { readonly label?: string }) {
  const { explain } = useStores();
  const open = async () => {
    await explain.getState().take(draft);
    location.hash = hashOfPage('explain');
    if (draft.target !== '') await explain.getState().run();
  };
  return (
    <div>
      <Button look="plain" data-testid="open-on-explain" onClick={() => void open()}>
        {label}
      </Button>
    </div>
  );
}

/** The prompt of an outcome in the colours of its scores, with the numbers under the pointer, the scale, and a table of all. */
export function SmallHeat({ outcome }: { readonly outcome: Outcome }) {
  return (
    <SeparateSelection key={outcome.question.prompt}>
      <PromptHeat outcome={outcome} view="whole" settings={outcome.question.settings} />
    </SeparateSelection>
  );
}
