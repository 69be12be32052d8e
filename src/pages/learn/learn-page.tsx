import { type ReactNode, useId, useMemo, useState } from 'react';
import type { QuestionDraft } from '../../explanations/examples.ts';
import { nameOf } from '../../figures/texts.ts';
import { Button, CopyButton } from '../../parts/buttons.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import live from '../../parts/live/live.module.css';
import { hasQuestion, type LessonTexts, QuestionFields } from '../../parts/live/text-fields.tsx';
import { hashOfPart } from '../../stores/page-store.ts';
import { useMachinesInUse, useStores, useStoreValue } from '../../stores/use-stores.ts';
import { countText, numberText } from '../../words/language.ts';
import { CLASS_EXAMPLES } from './class-examples.ts';
import { EXAMPLE_IDS, type ExampleId } from './example-ids.ts';
import styles from './learn-page.module.css';
import { hashOfSet, type PreparedSet, readSet, sharedSetOf } from './learn-store.ts';
import { LESSONS, OpenButton } from './lesson-parts.tsx';
import { LESSON_CONTENTS } from './lessons.tsx';
import { learnWords } from './words.en.ts';
import { byPlace } from '../../parts/by-place.ts';

function ExamplesPart() {
  const { title, text } = learnWords().class.examples;
  return (
    <PartFrame title={title} text={text}>
      <ol className={styles.cards}>
        {EXAMPLE_IDS.map((id) => (
          <li key={id}>
            <ExampleCard id={id} />
          </li>
        ))}
      </ol>
    </PartFrame>
  );
}

/** A question that opens on the Explain page; `shows` is left out for a question of the teacher. */
function QuestionCard({ title, shows, ...draft }: QuestionDraft & { readonly title: string; readonly shows?: string }) {
  const words = learnWords().class.examples;
  return (
    <section className={styles.card} data-testid="class-card">
      <h3 className={styles.cardTitle}>{title}</h3>
      {shows && <p>{shows}</p>}
      <p className={styles.prompt} lang="en" dir="auto">
        {draft.prompt}
      </p>
      <p className={styles.target}>
        {words.target}: <bdi lang="en">‘{nameOf(draft.target, 80)}’</bdi>
      </p>
      <OpenButton {...draft} label={words.explain} />
    </section>
  );
}

function ExampleCard({ id }: { readonly id: ExampleId }) {
  const { granularity = 'word', ...texts } = CLASS_EXAMPLES[id];
  return <QuestionCard {...learnWords().class.list[id]} {...texts} cut={{ granularity, similarity: null }} />;
}

/** The set of the last link from a teacher, or a message that the link cannot be read. */
function SetPart() {
  const words = learnWords().class.set;
  const engine = useMachinesInUse();
  const prepared = useStoreValue('learn', (state) => state.prepared);
  const isUnreadable = useStoreValue('learn', (state) => state.isLinkUnreadable);
  const set = useMemo(() => readSet(prepared), [prepared]);
  return (
    <PartFrame title={set?.title || words.title} text={engine ? words.sent(engine.host) : words.note}>
      {isUnreadable && (
        <p className={live.problem} role="alert" data-testid="set-problem">
          {words.unreadable}
        </p>
      )}
      {!set && !isUnreadable && <p>{words.none}</p>}
      {set && (
        <ol className={styles.cards}>
          {set.examples.map((id) => (
            <li key={id}>
              <ExampleCard id={id} />
            </li>
          ))}
          {byPlace(set.own, (texts, index) => (
            <li>
              <QuestionCard title={words.own(numberText(index + 1))} {...texts} />
            </li>
          ))}
        </ol>
      )}
    </PartFrame>
  );
}

interface PartFrameProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function PartFrame({ title, text, children }: PartFrameProps) {
  return (
    <article className={styles.part} data-testid="class-part">
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.text}>{text}</p>
      {children}
    </article>
  );
}

function TeacherPart() {
  const { learn } = useStores();
  const draft = useStoreValue('learn', (state) => state.draft);
  const { change } = learn.getState();
  const { title, text } = learnWords().class.teacher;
  return (
    <PartFrame title={title} text={text}>
      <TitleField value={draft.title} onChange={(value) => change({ title: value })} />
      <ExampleChoice chosen={draft.examples} onChange={(examples) => change({ examples })} />
      <OwnQuestions own={draft.own} onChange={(own) => change({ own })} />
      <SetLink draft={{ ...draft, own: draft.own.filter(hasQuestion) }} />
    </PartFrame>
  );
}

function TitleField({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{learnWords().class.teacher.setTitle}</label>
      <input id={id} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)} />
    </div>
  );
}

type Examples = readonly ExampleId[];

function ExampleChoice({ chosen, onChange }: { readonly chosen: Examples; onChange(chosen: Examples): void }) {
  const { list, teacher } = learnWords().class;
  return (
    <fieldset className={styles.choice}>
      <legend>{teacher.choose}</legend>
      {EXAMPLE_IDS.map((id) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={(event) => onChange(event.target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
          {list[id].title}
        </label>
      ))}
    </fieldset>
  );
}

type Questions = readonly LessonTexts[];

/** The teacher's own questions. Undo restores a removed one. */
function OwnQuestions({ own, onChange }: { readonly own: Questions; onChange(own: Questions): void }) {
  const words = learnWords().class.teacher;
  const [removed, setRemoved] = useState<Questions | null>(null);
  const put = (next: Questions, before: Questions | null) => {
    setRemoved(before);
    onChange(next);
  };
  return (
    <section className={styles.own} aria-label={words.own}>
      <h3 className={styles.cardTitle}>{words.own}</h3>
      {byPlace(own, (texts, index) => (
        <div className={styles.card} role="group" aria-label={words.ownNumber(numberText(index + 1))}>
          <QuestionFields asked={texts} onEdit={(part) => put(own.with(index, { ...texts, ...part }), null)} />
          <div>
            <Button look="quiet" focus="add-question" onClick={() => put(own.toSpliced(index, 1), own)}>
              {words.remove(numberText(index + 1))}
            </Button>
          </div>
        </div>
      ))}
      <div className={styles.row}>
        <Button id="add-question" onClick={() => put([...own, { prompt: '', target: ' ' }], null)}>
          {words.add}
        </Button>
        {removed && (
          <Button look="quiet" focus="add-question" onClick={() => put(removed, null)}>
            {words.undo}
          </Button>
        )}
      </div>
    </section>
  );
}

/** The link; title and own questions are in it only if the teacher agrees. */
function SetLink({ draft }: { readonly draft: PreparedSet }) {
  const words = learnWords().class.teacher;
  const [isAgreed, setIsAgreed] = useState(false);
  const shared = sharedSetOf(draft, { text: isAgreed });
  const leftOut = draft.own.length - shared.own.length;
  const link = () => new URL(hashOfSet(shared), location.href).href;
  const isEmpty = shared.examples.length + shared.own.length === 0;
  return (
    <section className={styles.own} aria-label={words.link}>
      <p className={styles.note}>{words.privacy}</p>
      <label className={styles.agreement}>
        <input type="checkbox" checked={isAgreed} onChange={(event) => setIsAgreed(event.target.checked)} />
        {words.agree}
      </label>
      {leftOut > 0 && <p className={styles.note}>{words.left(countText(leftOut, words.questions))}</p>}
      {isEmpty ? (
        <p className={styles.note}>{words.empty}</p>
      ) : (
        <>
          <output className={styles.link} data-testid="class-link">
            {link()}
          </output>
          <div>
            <CopyButton key={link()} label={words.copy} text={link} />
          </div>
        </>
      )}
    </section>
  );
}

const CONTENTS = { ...LESSON_CONTENTS, examples: ExamplesPart, teacher: TeacherPart, set: SetPart };

/** The parts of the Learn page that are not lessons: examples, a link for a class, and the set of such a link. */
const CLASS_PARTS = ['examples', 'teacher', 'set'] as const;

/** The part that an address names; the first lesson where it names none. */
export function learnPartIn(part: string | null): keyof typeof CONTENTS {
  return [...LESSONS, ...CLASS_PARTS].find((one) => one === part) ?? LESSONS[0];
}

/** The lessons and three parts for a class, one at a time; each has an address. */
export function LearnPage() {
  const words = learnWords();
  const part = learnPartIn(useStoreValue('page', (state) => state.part));
  const Content = CONTENTS[part];
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <div className={styles.columns}>
        <Parts current={part} />
        <Content key={part} />
      </div>
    </PageLayout>
  );
}

function Parts({ current }: { readonly current: keyof typeof CONTENTS }) {
  const words = learnWords();
  const hasSet = useStoreValue('learn', ({ prepared, isLinkUnreadable }) => prepared !== null || isLinkUnreadable);
  const link = (part: keyof typeof CONTENTS) => ({
    href: hashOfPart('learn', part),
    ...(part === current && { 'aria-current': 'true' as const }),
  });
  return (
    <nav className={styles.list} aria-label={words.lessons}>
      <ol>
        {LESSONS.map((lesson, index) => (
          <li key={lesson}>
            <a {...link(lesson)}>
              <span className={styles.number} aria-hidden>
                {numberText(index + 1)}
              </span>
              {words[lesson].short}
            </a>
          </li>
        ))}
      </ol>
      <ul>
        {CLASS_PARTS.filter((part) => part !== 'set' || hasSet).map((part) => (
          <li key={part}>
            <a {...link(part)}>{words.class[part].short}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
