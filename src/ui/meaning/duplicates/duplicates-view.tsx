import { useEffect, useState } from 'react';
import { csvText } from '../../../files/table/csv.ts';
import type { Collected } from '../../../state/meaning/collection-store.ts';
import { type DuplicatesState, withoutRepetitions } from '../../../state/meaning/lists/duplicates-store.ts';
import { meaningListsWords } from '../../../words/en/meaning/lists.ts';
import { meaningWords } from '../../../words/en/meaning/page.ts';
import { numberText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { download } from '../../parts/downloads.ts';
import { ProgressBar } from '../../parts/feedback/progress-bar.tsx';
import { StopsSlider } from '../../parts/fields/stops-slider.tsx';
import { useValueOf } from '../../use-stores.ts';
import { useCollected, useRoom } from '../use-room.ts';
import page from '../meaning-page.module.css';
import styles from './duplicates-view.module.css';

const STOPS = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 1];
const TWO_DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

/** Texts that are nearly the same, in groups. */
export function DuplicatesView() {
  const words = meaningListsWords().duplicates;
  const { duplicates } = useRoom();
  const { least, groups, problem, isRunning, find } = useValueOf(duplicates, (state) => state);
  const collected = useCollected();
  useEffect(() => {
    const { groups: known, least: wanted } = duplicates.getState();
    if (!known) void duplicates.getState().find(wanted);
  }, [duplicates]);
  if (!collected) return null;
  return (
    <div className={page.view}>
      <p className={page.note}>{words.about}</p>
      <div className={styles.least}>
        <span>{words.least}</span>
        <StopsSlider
          label={words.least}
          stops={STOPS}
          value={least}
          text={words.leastText(numberText(least, TWO_DIGITS))}
          onChange={(value) => void find(value)}
        />
        <output>{words.leastText(numberText(least, TWO_DIGITS))}</output>
      </div>
      {problem && (
        <p className={page.wrong} role="alert">
          {meaningWords().failed(problem)}
        </p>
      )}
      {isRunning && <Running />}
      {groups && !isRunning && <Groups groups={groups} collected={collected} />}
    </div>
  );
}

function Running() {
  const words = meaningListsWords().duplicates;
  const { duplicates } = useRoom();
  const { share, cancel } = useValueOf(duplicates, (state) => state);
  return (
    <div className={styles.running}>
      <ProgressBar label={words.running} share={share} />
      <Button look="quiet" onClick={cancel}>
        {words.stop}
      </Button>
    </div>
  );
}

interface GroupsProps {
  readonly groups: NonNullable<DuplicatesState['groups']>;
  readonly collected: Collected;
}

/** Groups that are shown at first, and texts of each. */
const [STEP, MOST_MEMBERS] = [20, 8];

function Groups({ groups, collected }: GroupsProps) {
  const words = meaningListsWords().duplicates;
  const { duplicates } = useRoom();
  const { compared, least, find } = useValueOf(duplicates, (state) => state);
  const [shown, setShown] = useState(STEP);
  const { texts } = collected.table;
  const repeated = groups.reduce((sum, { members }) => sum + members.length - 1, 0);
  const rest = Math.min(STEP, groups.length - shown);
  return (
    <>
      <p role="status" data-testid="duplicates">
        {groups.length === 0 ? words.none(compared) : words.found(groups.length, repeated)}
      </p>
      {compared < collected.count && <Button onClick={() => void find(least)}>{words.stale(collected.count)}</Button>}
      <ol className={styles.groups}>
        {groups.slice(0, shown).map(({ members, cosine }) => (
          <li key={members[0]} className={styles.group}>
            <p className={page.note}>{words.alike(numberText(cosine, TWO_DIGITS))}</p>
            {members.slice(0, MOST_MEMBERS).map((index) => (
              <p key={index} className={styles.text} dir="auto">
                {texts[index]}
              </p>
            ))}
            {members.length > MOST_MEMBERS && (
              <p className={page.note}>{words.members(members.length - MOST_MEMBERS)}</p>
            )}
          </li>
        ))}
      </ol>
      <div className={page.row}>
        {rest > 0 && <Button onClick={() => setShown(shown + STEP)}>{words.more(rest)}</Button>}
        {groups.length > 0 && (
          <Button look="quiet" onClick={() => save(collected, groups)}>
            {words.save}
          </Button>
        )}
      </div>
    </>
  );
}

/** The table without the repeated texts, its other columns beside them. */
function save({ table, count }: Collected, groups: GroupsProps['groups']): void {
  const columns = Object.entries(table.columns);
  const rows = withoutRepetitions(count, groups).map((index) => [
    table.texts[index] ?? '',
    ...columns.map(([, values]) => values[index] ?? ''),
  ]);
  const names = [meaningListsWords().duplicates.text, ...columns.map(([name]) => name)];
  download('without-repetitions.csv', new Blob([csvText(names, rows)], { type: 'text/csv' }));
}
