import { lazy, Suspense, useState } from 'react';
import { questionSettingsWords } from '../../../words/en/explain/settings.ts';
import { FallbackBoundary } from '../../parts/feedback/fallback-boundary.tsx';
import { useProblemsIn } from '../problem/field-note.tsx';
import type { FieldName } from '../problem/field-problems.ts';
import panel from '../prompt/question-panel.module.css';
import styles from './settings-panel.module.css';

/** Fields inside: a problem of one of them opens the fold. */
const INSIDE: readonly FieldName[] = ['factor', 'scaling', 'overlap', 'similarity', 'target-parts', 'model'];

/** Most questions need none of them, so they are fetched when the fold is opened. */
const MoreSettings = lazy(async () => ({ default: (await import('./more-settings.tsx')).MoreSettings }));

/** The fold with all further settings. */
export function AdvancedSettings() {
  const [isOpen, setIsOpen] = useState(false);
  const isWrong = useProblemsIn(INSIDE).length > 0;
  const words = questionSettingsWords();
  return (
    <details
      className={styles.advanced}
      open={isOpen || isWrong}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>{words.more}</summary>
      {(isOpen || isWrong) && (
        <FallbackBoundary fallback={<p className={panel.hint}>{words.moreFailed}</p>}>
          <Suspense>
            <MoreSettings />
          </Suspense>
        </FallbackBoundary>
      )}
    </details>
  );
}
