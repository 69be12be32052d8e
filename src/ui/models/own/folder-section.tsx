import { useRef } from 'react';
import { filesOfFolder, filesOfInput } from '../../../models/keeping/folders/read-folders.ts';
import { ownModelsWords } from '../../../words/en/models/own.ts';
import { listText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { Section } from '../../settings/fields.tsx';
import { useValueOf } from '../../use-stores.ts';
import styles from './own-models.module.css';
import { useOwnModels } from './use-own-models.ts';

/** Asks for a folder; Chromium alone has it. */
type Picker = (options: { readonly mode: 'read' }) => Promise<FileSystemDirectoryHandle>;

/** A folder of this device: dropped or picked. */
export function FolderSection() {
  const words = ownModelsWords().folder;
  const { folders } = useOwnModels();
  const opening = useValueOf(folders, (state) => state.opening);
  const input = useRef<HTMLInputElement>(null);
  const { open } = folders.getState();
  const pick = async () => {
    const { showDirectoryPicker: ask } = globalThis as { readonly showDirectoryPicker?: Picker };
    if (!ask) return input.current?.click();
    const folder = await ask({ mode: 'read' }).catch(() => null); // nothing was picked
    if (folder) await open(filesOfFolder(folder));
  };
  return (
    <Section title={words.title} about={words.about}>
      <div className={styles.row}>
        <p>{words.drop}</p>
        <Button onClick={() => void pick()}>{words.pick}</Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="model-folder"
          {...{ webkitdirectory: '' }}
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            if (files.length > 0) void open(Promise.resolve(filesOfInput(files)));
          }}
        />
      </div>
      <p role="status" data-testid="folder-outcome">
        {opening.kind === 'reading' && words.reading}
        {opening.kind === 'done' && words.done(listText(opening.names))}
        {opening.kind === 'nothing' && words.nothing}
        {opening.kind === 'failed' && words.failed(opening.message)}
      </p>
    </Section>
  );
}
