import { useExplain, useStores } from '../../use-stores.ts';
import styles from './settings-panel.module.css';

/** Where a custom granularity cuts; line ends are written `\n`, because a one-line field cannot hold them. */
export function DelimiterField() {
  const { explain } = useStores();
  const delimiter = useExplain((state) => state.question.settings.delimiter);
  return (
    <label className={styles.delimiter}>
      Cut at
      <input
        data-testid="delimiter"
        value={delimiter.replaceAll('\n', '\\n')}
        placeholder="such as ### or \n"
        onChange={(event) => explain.getState().adjust({ delimiter: event.target.value.replaceAll('\\n', '\n') })}
      />
    </label>
  );
}
