import { useEffect } from 'react';
import { useCollected, useMeaning, useMeaningStores } from '../meaning-stores.ts';
import { WorkProblem, SaveRows, useFirst } from '../view-parts.tsx';
import { meaningListsWords } from '../words.en.ts';
import { Button } from '../../../parts/buttons.tsx';
import { ProgressBar } from '../../../parts/feedback/status.tsx';
import { StopsSlider } from '../../../parts/fields/choice.tsx';
import { fixedText } from '../../../words/language.ts';
import page from '../meaning-page.module.css';
import styles from './duplicates-view.module.css';

const STOPS = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 1];

/** Texts that are nearly the same, in groups. */
export function DuplicatesView() {
  const words = meaningListsWords().duplicates;
  const { duplicates } = useMeaningStores();
  const { least, groups, problem, isRunning, find } = useMeaning('duplicates', (state) => state);
  const { table, count = 0 } = useCollected() ?? {};
  const compared = count > 0 ? table : undefined;
  useEffect(() => {
    const state = duplicates.getState();
    if (compared && !state.groups) void state.find(state.least);
  }, [duplicates, compared]);
  const leastText = words.leastText(fixedText(least, 2));
  return (
    <div className={page.view}>
      <p className={page.note}>{words.about}</p>
      <div className={styles.least}>
        <span>{words.least}</span>
        <StopsSlider
          label={words.least}
          stops={STOPS}
          value={least}
          text={leastText}
          onChange={(value) => void find(value)}
        />
        <output>{leastText}</output>
      </div>
      <WorkProblem problem={problem} />
      {isRunning && <Running />}
      {!isRunning && groups && <Groups groups={groups} />}
      {!isRunning && !groups && compared && <Button onClick={() => void find(least)}>{words.stale(count)}</Button>}
    </div>
  );
}

function Running() {
  const words = meaningListsWords().duplicates;
  const { share, cancel } = useMeaning('duplicates', (state) => state);
  return (
    <div className={styles.running}>
      <ProgressBar label={words.running} share={share} />
      <Button look="quiet" onClick={cancel}>
        {words.stop}
      </Button>
    </div>
  );
}

type DuplicateGroups = readonly { readonly members: readonly number[]; readonly cosine: number }[];

/** Groups that are shown at first and added with each press, and texts that are shown of each. */
const [STEP, MAX_MEMBERS] = [20, 8];

function Groups({ groups }: { readonly groups: DuplicateGroups }) {
  const words = meaningListsWords().duplicates;
  const { compared, least, find } = useMeaning('duplicates', (state) => state);
  const collected = useCollected();
  const [first, more] = useFirst(groups, STEP, words.more);
  if (!collected) return null;
  const { table, count } = collected;
  const repeated = groups.reduce((sum, { members }) => sum + members.length - 1, 0);
  return (
    <>
      <p role="status" data-testid="duplicates">
        {groups.length === 0 ? words.none(compared) : words.found(groups.length, repeated)}
      </p>
      {compared < count && <Button onClick={() => void find(least)}>{words.stale(count)}</Button>}
      <ol className={styles.groups}>
        {first.map(({ members, cosine }) => (
          <li key={members[0]} className={styles.group}>
            <p className={page.note}>{words.alike(fixedText(cosine, 2))}</p>
            {members.slice(0, MAX_MEMBERS).map((index) => (
              <p key={index} className={styles.text} dir="auto">
                {table.texts[index]}
              </p>
            ))}
            {members.length > MAX_MEMBERS && <p className={page.note}>{words.members(members.length - MAX_MEMBERS)}</p>}
          </li>
        ))}
      </ol>
      <div className={page.row}>
        {more}
        {groups.length > 0 && (
          <SaveRows name="without-repetitions" rows={() => rowsWithoutRepetitions(collected, groups)}>
            {words.save}
          </SaveRows>
        )}
      </div>
    </>
  );
}

/** The table with the first text of each group only. */
function rowsWithoutRepetitions(
  { table, count }: NonNullable<ReturnType<typeof useCollected>>,
  groups: DuplicateGroups,
): string[][] {
  const repeated = new Set(groups.flatMap(({ members }) => members.slice(1)));
  const columns = [[meaningListsWords().duplicates.text, table.texts] as const, ...Object.entries(table.columns)];
  const indices = [...table.texts.slice(0, count).keys()].filter((index) => !repeated.has(index));
  return [columns.map(([name]) => name), ...indices.map((index) => columns.map(([, values]) => values[index] ?? ''))];
}
