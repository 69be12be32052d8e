import { type Cell, csvText } from '../../files/table/csv-text.ts';
import { insideStoresOf, MAX_TOKENS, type TokenGrid } from './live-stores.ts';
import { insideWords } from './words.en.ts';
import { fixedText, numberText, visibleText } from '../../words/language.ts';
import { nameOf } from '../../figures/texts.ts';
import { LivePanel, Notice } from '../../parts/live/live-panel.tsx';
import { SelectField } from '../../parts/fields/fields.tsx';
import { Terms } from '../../parts/live/terms.tsx';
import { cosineCell, SaveCsv } from './inside-parts.tsx';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import styles from './inside-page.module.css';

/** The tokens of two of the texts at the layer of the slider. */
export function TokenCompare({ texts, layer }: { readonly texts: readonly string[]; readonly layer: number }) {
  const store = insideStoresOf(useStores().inside.getState()).tokens;
  const asked = useValueOf(store, (state) => state.asked);
  const words = insideWords().tokens;
  const a = texts.includes(asked.a) ? asked.a : (texts[0] ?? '');
  const b = texts.includes(asked.b) ? asked.b : (texts[1] ?? '');
  const { edit } = store.getState();
  const options = [...new Set(texts)].map((text) => ({
    value: text,
    text: `${numberText(texts.indexOf(text) + 1)} ${nameOf(text, 48)}`,
  }));
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
            <SelectField label={words.first} options={options} value={a} onChoose={(text) => edit({ a: text })} />
            <SelectField label={words.second} options={options} value={b} onChoose={(text) => edit({ b: text })} />
          </div>
        }
      >
        {(grid, of) => <Grid grid={grid} layer={of.layer} />}
      </LivePanel>
    </div>
  );
}

function Grid({ grid, layer }: { readonly grid: TokenGrid; readonly layer: number }) {
  const words = insideWords().tokens;
  const { a, b, cosines } = grid;
  const label = words.caption(numberText(layer));
  const low = Math.min(...cosines.flat());
  return (
    <>
      <Notice sentences={gridNotice(grid)} />
      <WideTable
        label={label}
        caption={`${label}. ${a.isCut || b.isCut ? words.cut(numberText(MAX_TOKENS)) : ''}`}
        testId="token-grid"
        className={styles.dense}
        head={[null, ...b.texts.map(visibleText)]}
        rows={a.texts.map((token, row) => ({
          name: visibleText(token),
          cells: (cosines[row] ?? []).map((value) => cosineCell(value, low)),
        }))}
      />
      <SaveCsv name="tokens.csv" label={words.save} csv={() => tokensCsv(grid, layer)} />
    </>
  );
}

const MAX_SHARED = 3;

/** Similarities of the tokens that both texts have, and the closest pair of different ones. */
function gridNotice(grid: TokenGrid): string[] {
  const words = insideWords().tokens;
  const closest = closestOthers(grid);
  const shared = sharedTokens(grid).slice(0, MAX_SHARED);
  return [
    ...shared.map(({ text, low, high }) => words.same(visibleText(text), fixedText(low, 2), fixedText(high, 2))),
    ...(closest ? [words.closest(visibleText(closest.a), visibleText(closest.b), fixedText(closest.value, 2))] : []),
  ];
}

/** Tokens with letters that are in both texts, with the range of their similarities, the least similar first. */
export function sharedTokens({ a, b, cosines }: TokenGrid) {
  const shared = [...new Set(a.texts)]
    .filter((text) => /\p{L}/u.test(text) && b.texts.includes(text))
    .map((text) => {
      const values = a.texts.flatMap((one, row) =>
        one === text ? b.texts.flatMap((other, column) => (other === text ? [cosines[row]?.[column] ?? 0] : [])) : [],
      );
      return { text, low: Math.min(...values), high: Math.max(...values) };
    });
  return shared.sort((one, other) => one.low - other.low);
}

/** The most similar tokens of the two texts that differ in more than their space; null where there are none. */
export function closestOthers({ a, b, cosines }: TokenGrid) {
  let closest: { a: string; b: string; value: number } | null = null;
  for (const [row, one] of a.texts.entries())
    for (const [column, other] of b.texts.entries()) {
      const value = cosines[row]?.[column] ?? 0;
      if (one.trim() !== other.trim() && value > (closest?.value ?? -Infinity)) closest = { a: one, b: other, value };
    }
  return closest;
}

/** A row for each pair of tokens, one of each text. */
export function tokensCsv({ a, b, cosines }: TokenGrid, layer: number): string {
  const head = ['token_a', 'place_a', 'token_b', 'place_b', 'layer', 'cosine'];
  const rows = a.texts.flatMap((first, row) =>
    b.texts.map((second, column): Cell[] => [first, row + 1, second, column + 1, layer, cosines[row]?.[column] ?? 0]),
  );
  return csvText([head, ...rows]);
}
