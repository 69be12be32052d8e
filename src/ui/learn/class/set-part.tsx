import { useMemo } from 'react';
import { exampleOf } from '../../../state/learn/class/class-examples.ts';
import { readSet } from '../../../state/learn/class/prepared-set.ts';
import { engineWords } from '../../../words/en/models/engine.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { numberText } from '../../../words/numbers.ts';
import { useEngineInUse, useStoreValue } from '../../use-stores.ts';
import { ExampleCard, QuestionCard } from './example-card.tsx';
import { PartFrame } from './part-frame.tsx';
import live from '../live/live.module.css';
import styles from './class.module.css';

/** The set that a teacher's link has brought, or that the link cannot be read. */
export function SetPart() {
  const words = learnWords().class.set;
  const engine = useEngineInUse();
  const prepared = useStoreValue('learn', (state) => state.prepared);
  const isUnreadable = useStoreValue('learn', (state) => state.isLinkUnreadable);
  const set = useMemo(() => readSet(prepared), [prepared]);
  return (
    <PartFrame title={set?.title || words.title} text={engine ? engineWords().inUse.learn(engine.host) : words.note}>
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
              <ExampleCard example={exampleOf(id)} />
            </li>
          ))}
          {set.own.map((texts, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a question is its place in the set
            <li key={index}>
              <QuestionCard title={words.own(numberText(index + 1))} texts={texts} />
            </li>
          ))}
        </ol>
      )}
    </PartFrame>
  );
}
