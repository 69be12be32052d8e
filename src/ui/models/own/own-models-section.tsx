import { ownModelsWords } from '../../../words/en/models/own.ts';
import { useValueOf } from '../../use-stores.ts';
import { FetchList } from './fetch-list.tsx';
import { FolderSection } from './folder-section.tsx';
import { HubSection } from './hub-section.tsx';
import { PresetList } from './preset-list.tsx';
import { KeptSection } from './kept-section.tsx';
import styles from './own-models.module.css';
import { useOwnModels } from './use-own-models.ts';

/** Where models come from, beside those of the app; open while there is something to see to. */
export function OwnModelsSection() {
  const { fetches, folders } = useOwnModels();
  const isBusy = useValueOf(fetches, (state) => state.fetches.length > 0);
  const hasOwn = useValueOf(folders, ({ models, opening }) => models.length > 0 || opening.kind !== 'none');
  return (
    <details className={styles.own} open={isBusy || hasOwn || undefined} data-testid="own-models">
      <summary>{ownModelsWords().summary}</summary>
      <FetchList />
      <FolderSection />
      <HubSection />
      <PresetList />
      <KeptSection />
    </details>
  );
}
