import { tokenText } from '../../figures/caption.ts';
import type { LensResponse } from '../../contract/likelihood.ts';
import { insideStoresOf, LENS_EXAMPLE } from './live-stores.ts';
import { insideWords } from './words.en.ts';
import { type Cell, csvText } from '../../files/table/csv-text.ts';
import { numberText, visibleText } from '../../words/language.ts';
import { percentText } from '../../figures/texts.ts';
import { LivePanel, Notice } from '../../parts/live/live-panel.tsx';
import { QuestionFields } from '../../parts/live/text-fields.tsx';
import { InsideSection, SaveCsv } from './inside-parts.tsx';
import { WideTable } from '../../parts/layout/wide-table.tsx';
import { useStores, useValueOf } from '../../stores/use-stores.ts';
import styles from './inside-page.module.css';

/** What the model would predict if it ended after each of its layers. */
export function LensSection() {
  const store = insideStoresOf(useStores().inside.getState()).lens;
  const asked = useValueOf(store, (state) => state.asked);
  const words = insideWords().lens;
  return (
    <InsideSection words={words}>
      <LivePanel
        name="lens"
        store={store}
        first={LENS_EXAMPLE}
        isComplete={({ prompt }) => prompt !== ''}
        failures={{ MISSING_CAPABILITY: words.hidden }}
        fields={<QuestionFields asked={asked} onEdit={store.getState().edit} targetLabel={words.target} />}
      >
        {(found) => (
          <>
            <Notice sentences={lensNotice(found)} />
            <LensTable found={found} />
            <LensGrid found={found} />
            <SaveCsv name="layers-predict.csv" label={words.save} csv={() => lensCsv(found)} />
          </>
        )}
      </LivePanel>
    </InsideSection>
  );
}

function lensNotice(found: LensResponse): string[] {
  const words = insideWords().lens;
  const findings = lensFindings(found);
  if (!findings) return [];
  const { predicted, since, lastLayer } = findings;
  const [token, last] = [visibleText(predicted), numberText(lastLayer)];
  return [since === lastLayer ? words.onlyLast(token, last) : words.since(token, numberText(since), last)];
}

function layerName(layer: number, lastLayer: number): string {
  const words = insideWords().lens;
  const note = layer === lastLayer ? words.output : layer === 0 ? words.embeddings : null;
  return note === null ? numberText(layer) : `${numberText(layer)}, ${note}`;
}

function LensTable({ found }: { readonly found: LensResponse }) {
  const words = insideWords().lens;
  const layers = layersOf(found);
  const target = layers[0]?.target?.token;
  const head = [words.layer, words.likeliest];
  return (
    <WideTable
      label={words.table}
      testId="lens-layers"
      head={target === undefined ? head : [...head, words.rankOf(visibleText(target))]}
      rows={layers.map(({ layer, tokens, target: ranked }) => {
        const likeliest = tokens
          .filter(({ log_probability: log }, index) => index === 0 || log >= MIN_LOG_PROBABILITY)
          .map(({ token, log_probability: log }) => `${tokenText(token)} ${percentText(Math.exp(log))}`)
          .join(' · ');
        const cells = [{ text: likeliest, className: styles.wrapping }, ...(ranked ? [numberText(ranked.rank)] : [])];
        return { name: layerName(layer, layers[0]?.layer ?? 0), cells };
      })}
    />
  );
}

/** Less likely tokens are left out, except the first. */
const MIN_LOG_PROBABILITY = Math.log(0.001);

/** The likeliest token at each layer, after each of the last tokens. */
function LensGrid({ found: { positions } }: { readonly found: LensResponse }) {
  const words = insideWords().lens;
  const layers = (positions[0]?.layers ?? []).map(({ layer }) => layer).toReversed();
  return (
    <WideTable
      label={words.grid}
      testId="lens-grid"
      className={styles.tokens}
      head={[words.layer, ...positions.map(({ token }) => `${words.after} ${tokenText(token)}`)]}
      rows={layers.map((layer) => ({
        name: layerName(layer, layers[0] ?? 0),
        cells: positions.map((position) => tokenText(position.layers[layer]?.tokens[0]?.token ?? '')),
      }))}
    />
  );
}

/** Layers at the last position, from the last one, whose prediction is the model's, to the word embeddings. */
export function layersOf({ positions }: LensResponse): LensResponse['positions'][number]['layers'] {
  return (positions.at(-1)?.layers ?? []).toReversed();
}

/** The token that the model predicts, and the first layer from which it is the likeliest at every layer; null without a prediction. */
export function lensFindings(response: LensResponse) {
  const layers = layersOf(response);
  const [last] = layers;
  const predicted = last?.tokens[0]?.token;
  if (!last || predicted === undefined) return null;
  const other = layers.find(({ tokens }) => tokens[0]?.token !== predicted);
  return { predicted, since: other ? other.layer + 1 : 0, lastLayer: last.layer };
}

/** A row for each of the likeliest tokens at each layer after each of the last tokens, with the rank of the target. */
export function lensCsv({ positions, model_version: modelVersion }: LensResponse): string {
  const head = ['after', 'layer', 'rank', 'token', 'log_probability', 'target', 'target_rank', 'model_version'];
  const rows = positions.flatMap(({ token: after, layers }) =>
    layers.flatMap(({ layer, tokens, target }) =>
      tokens.map(({ token, log_probability }, place): Cell[] => [
        after,
        layer,
        place + 1,
        token,
        log_probability,
        target?.token ?? '',
        target?.rank ?? '',
        modelVersion,
      ]),
    ),
  );
  return csvText([head, ...rows]);
}
