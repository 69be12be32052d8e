import { tokensCsv } from '../../state/inside/export.ts';
import { insideLivesOf } from '../../state/inside/lives.ts';
import { MOST_TOKENS, type TokenGrid } from '../../state/inside/token-grid.ts';
import { insideWords } from '../../words/en/inside.ts';
import { numberText } from '../../words/numbers.ts';
import { nameOf, visibleText } from '../explain/texts.ts';
import { LivePanel } from '../learn/live/live-panel.tsx';
import { Notice } from '../learn/live/notice.tsx';
import { Terms } from '../parts/terms.tsx';
import { SaveCsv } from './export/save-csv.tsx';
import { useStores, useValueOf } from '../use-stores.ts';
import { cosineText, shareStyle } from './similarity-texts.ts';
import { gridNotice } from './token-texts.ts';
import wide from '../parts/layout/table.module.css';
import styles from './inside-page.module.css';

/** See `TokenCompare`. */
interface TokenCompareProps {
  readonly texts: readonly string[];
  readonly layer: number;
}

/** The tokens of two of the texts at the layer of the slider. */
export function TokenCompare({ texts, layer }: TokenCompareProps) {
  const store = insideLivesOf(useStores().inside.getState().source).tokens;
  const asked = useValueOf(store, (state) => state.asked);
  const words = insideWords().tokens;
  const a = texts.includes(asked.a) ? asked.a : (texts[0] ?? '');
  const b = texts.includes(asked.b) ? asked.b : (texts[1] ?? '');
  const { edit } = store.getState();
  return (
    <div className={styles.block}>
      <h3 className={styles.blockTitle}>{words.title}</h3>
      <p className={styles.note}>
        <Terms text={words.text} />
      </p>
      <LivePanel
        name="tokens"
        look="inline"
        store={store}
        runLabel={words.run}
        current={{ a, b, layer }}
        isComplete={() => true}
        fields={
          <div className={styles.choices}>
            <TextChoice label={words.first} texts={texts} value={a} onChoose={(text) => edit({ a: text })} />
            <TextChoice label={words.second} texts={texts} value={b} onChoose={(text) => edit({ b: text })} />
          </div>
        }
      >
        {(grid, of) => <Grid grid={grid} layer={of.layer} />}
      </LivePanel>
    </div>
  );
}

interface TextChoiceProps {
  readonly label: string;
  readonly texts: readonly string[];
  readonly value: string;
  readonly onChoose: (text: string) => void;
}

function TextChoice({ label, texts, value, onChoose }: TextChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChoose(event.target.value)}>
        {[...new Set(texts)].map((text) => (
          <option key={text} value={text}>
            {numberText(texts.indexOf(text) + 1)} {nameOf(text, 48)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Grid({ grid, layer }: { readonly grid: TokenGrid; readonly layer: number }) {
  const words = insideWords().tokens;
  const { a, b, cosines } = grid;
  const low = Math.min(...cosines.flat());
  return (
    <>
      <Notice sentences={gridNotice(grid)} />
      <div
        className={wide.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={words.caption(numberText(layer))}
      >
        <table className={`${wide.table} ${styles.table} ${styles.dense}`} data-testid="token-grid">
          <caption>
            {words.caption(numberText(layer))}. {(a.isCut || b.isCut) && words.cut(numberText(MOST_TOKENS))}
          </caption>
          <thead>
            <tr>
              <td aria-hidden />
              {b.texts.map((token, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the text
                <th key={column} scope="col">
                  {visibleText(token)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {a.texts.map((token, row) => (
              // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the text
              <tr key={row}>
                <th scope="row">{visibleText(token)}</th>
                {cosines[row]?.map((value, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the text
                  <td key={column} className={styles.cell} style={shareStyle(value, low)}>
                    {cosineText(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <SaveCsv name="tokens.csv" label={words.save} csv={() => tokensCsv(grid, layer)} />
    </>
  );
}
