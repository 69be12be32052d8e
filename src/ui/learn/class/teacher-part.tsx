import { useId, useState } from 'react';
import { CLASS_EXAMPLES, type ExampleId } from '../../../state/learn/class/class-examples.ts';
import { hashOfSet, type PreparedSet, sharedSetOf } from '../../../state/learn/class/prepared-set.ts';
import type { Texts } from '../../../state/learn/lessons/asked.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { countText, numberText } from '../../../words/numbers.ts';
import { Button, CopyButton } from '../../parts/buttons.tsx';
import { focusOn } from '../../parts/focus.ts';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { hasQuestion, QuestionFields } from '../live/text-fields.tsx';
import { PartFrame } from './part-frame.tsx';
import styles from './class.module.css';

/** Puts a set together, and makes a link of it. */
export function TeacherPart() {
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

interface ExampleChoiceProps {
  readonly chosen: readonly ExampleId[];
  readonly onChange: (chosen: readonly ExampleId[]) => void;
}

function ExampleChoice({ chosen, onChange }: ExampleChoiceProps) {
  const { choose } = learnWords().class.teacher;
  const { list } = learnWords().class;
  return (
    <fieldset className={styles.choice}>
      <legend>{choose}</legend>
      {CLASS_EXAMPLES.map(({ id }) => (
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

interface OwnQuestionsProps {
  readonly own: readonly Texts[];
  readonly onChange: (own: readonly Texts[]) => void;
}

/** Questions of the teacher's own. One that is removed comes back by Undo. */
function OwnQuestions({ own, onChange }: OwnQuestionsProps) {
  const words = learnWords().class.teacher;
  const [removed, setRemoved] = useState<readonly Texts[] | null>(null);
  const put = (next: readonly Texts[], before: readonly Texts[] | null) => {
    setRemoved(before);
    onChange(next);
  };
  return (
    <section className={styles.own} aria-label={words.own}>
      <h3 className={styles.cardTitle}>{words.own}</h3>
      {own.map((texts, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a question is its place in the list
        <div key={index} className={styles.card} role="group" aria-label={words.ownNumber(numberText(index + 1))}>
          <QuestionFields asked={texts} onEdit={(part) => put(own.with(index, { ...texts, ...part }), null)} />
          <div>
            <Button
              look="quiet"
              onClick={() => {
                focusOn('add-question'); // this button goes
                put(own.toSpliced(index, 1), own);
              }}
            >
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
          <Button
            look="quiet"
            onClick={() => {
              focusOn('add-question');
              put(removed, null);
            }}
          >
            {words.undo}
          </Button>
        )}
      </div>
    </section>
  );
}

/** The link, with title and own questions only where that is agreed. */
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
