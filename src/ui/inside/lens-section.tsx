import type { LensResponse } from '../../contract/likelihood/lens.ts';
import { LENS_EXAMPLE } from '../../state/inside/examples.ts';
import { lensCsv } from '../../state/inside/export.ts';
import { insideLivesOf } from '../../state/inside/lives.ts';
import { layersOf, lensFindings } from '../../state/inside/lens.ts';
import { insideWords } from '../../words/en/inside.ts';
import { numberText } from '../../words/numbers.ts';
import { tokenText } from '../explain/result/head/own-answer-text.ts';
import { percentText, visibleText } from '../explain/texts.ts';
import { LivePanel } from '../learn/live/live-panel.tsx';
import { Notice } from '../learn/live/notice.tsx';
import { QuestionFields } from '../learn/live/text-fields.tsx';
import { Terms } from '../parts/terms.tsx';
import { SaveCsv } from './export/save-csv.tsx';
import { useStores, useValueOf } from '../use-stores.ts';
import wide from '../parts/layout/table.module.css';
import styles from './inside-page.module.css';

/** What the model would predict if it ended after each of its layers. */
export function LensSection() {
  const store = insideLivesOf(useStores().inside.getState().source).lens;
  const asked = useValueOf(store, (state) => state.asked);
  const words = insideWords().lens;
  return (
    <section className={styles.section} aria-label={words.title}>
      <h2 className={styles.title}>{words.title}</h2>
      <p className={styles.text}>
        <Terms text={words.text} />
      </p>
      <p className={styles.source}>{words.source}</p>
      <LivePanel
        name="lens"
        store={store}
        first={LENS_EXAMPLE}
        isComplete={({ prompt }) => prompt !== ''}
        failures={{ MISSING_CAPABILITY: words.hidden }}
        fields={<QuestionFields asked={asked} onEdit={store.getState().edit} targetLabel={words.target} />}
      >
        {(found) => <LensResult found={found} />}
      </LivePanel>
    </section>
  );
}

function LensResult({ found }: { readonly found: LensResponse }) {
  return (
    <>
      <Notice sentences={lensNotice(found)} />
      <LensTable found={found} />
      <LensGrid found={found} />
      <SaveCsv name="layers-predict.csv" label={insideWords().lens.save} csv={() => lensCsv(found)} />
    </>
  );
}

function lensNotice(found: LensResponse): string[] {
  const words = insideWords().lens;
  const findings = lensFindings(found);
  if (!findings) return [];
  const [said, last] = [visibleText(findings.said), numberText(findings.lastLayer)];
  return [
    findings.since === findings.lastLayer
      ? words.onlyLast(said, last)
      : words.since(said, numberText(findings.since), last),
  ];
}

/** The last layer speaks for the model, layer 0 has not computed anything yet. */
function layerName(layer: number, lastLayer: number): string {
  const words = insideWords().lens;
  const note = layer === lastLayer ? words.output : layer === 0 ? words.embeddings : null;
  return note === null ? numberText(layer) : `${numberText(layer)}, ${note}`;
}

function LensTable({ found }: { readonly found: LensResponse }) {
  const words = insideWords().lens;
  const layers = layersOf(found);
  const target = layers[0]?.target?.token;
  return (
    <div
      className={wide.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label={words.table}
    >
      <table className={`${wide.table} ${styles.table}`} data-testid="lens-layers">
        <caption>{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.layer}</th>
            <th scope="col">{words.likeliest}</th>
            {target !== undefined && <th scope="col">{words.rankOf(visibleText(target))}</th>}
          </tr>
        </thead>
        <tbody>
          {layers.map(({ layer, tokens, target: rated }) => (
            <tr key={layer}>
              <th scope="row">{layerName(layer, layers[0]?.layer ?? 0)}</th>
              <td className={styles.wrapping}>
                {shownOf(tokens)
                  .map(({ token, log_probability: log }) => `${tokenText(token)} ${percentText(Math.exp(log))}`)
                  .join(' · ')}
              </td>
              {rated && <td>{numberText(rated.rank)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A token below this probability is not worth a line; the first one always is. */
const SHOWN = Math.log(0.001);

function shownOf(tokens: ReturnType<typeof layersOf>[number]['tokens']): typeof tokens {
  return tokens.filter(({ log_probability: log }, index) => index === 0 || log >= SHOWN);
}

/** The likeliest token at each layer, behind each of the last tokens. */
function LensGrid({ found: { positions } }: { readonly found: LensResponse }) {
  const words = insideWords().lens;
  const layers = (positions[0]?.layers ?? []).map(({ layer }) => layer).toReversed();
  return (
    <div
      className={wide.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
      tabIndex={0}
      role="group"
      aria-label={words.grid}
    >
      <table className={`${wide.table} ${styles.table} ${styles.tokens}`} data-testid="lens-grid">
        <caption>{words.grid}</caption>
        <thead>
          <tr>
            <th scope="col">{words.layer}</th>
            {positions.map(({ token }, position) => (
              // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the prompt
              <th key={position} scope="col">
                {words.behind} {tokenText(token)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {layers.map((layer) => (
            <tr key={layer}>
              <th scope="row">{layerName(layer, layers[0] ?? 0)}</th>
              {positions.map(({ layers: own }, position) => (
                // oxlint-disable-next-line react/no-array-index-key -- a token is its place in the prompt
                <td key={position}>{tokenText(own[layer]?.tokens[0]?.token ?? '')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
