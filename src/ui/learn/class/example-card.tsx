import type { Cut } from '../../../state/explain/examples.ts';
import { type ClassExample, type ExampleId } from '../../../state/learn/class/class-examples.ts';
import type { Texts } from '../../../state/learn/lessons/asked.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { nameOf } from '../../explain/texts.ts';
import { OpenButton } from '../live/open-button.tsx';
import styles from './class.module.css';

/** See `QuestionCard`. */
interface QuestionCardProps {
  readonly title: string;
  /** What it shows; left out where nobody has checked that. */
  readonly shows?: string;
  readonly texts: Texts;
  readonly cut?: Cut;
}

/** A question that opens on the Explain page. */
export function QuestionCard({ title, shows, texts, cut }: QuestionCardProps) {
  const words = learnWords().class.examples;
  return (
    <section className={styles.card} data-testid="class-card">
      <h3 className={styles.cardTitle}>{title}</h3>
      {shows && <p>{shows}</p>}
      <p className={styles.prompt} lang="en" dir="auto">
        {texts.prompt}
      </p>
      <p className={styles.target}>
        {words.target}: <bdi lang="en">‘{nameOf(texts.target, 80)}’</bdi>
      </p>
      <OpenButton texts={texts} label={words.explain} {...(cut && { cut })} />
    </section>
  );
}

/** One of the twelve examples. */
export function ExampleCard({ example }: { readonly example: ClassExample & { readonly id: ExampleId } }) {
  const { id, prompt, target, granularity } = example;
  const { title, shows } = learnWords().class.list[id];
  return (
    <QuestionCard title={title} shows={shows} texts={{ prompt, target }} cut={{ granularity, similarity: null }} />
  );
}
