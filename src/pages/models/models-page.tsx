import type { MarkedToken, Token, Tokens } from 'marked';
import { lazy, memo, type ReactNode, Suspense, useEffect } from 'react';
import { canCalibrate } from '../../client/ask-defaults.ts';
import { ownValue } from '../../contract/records.ts';
import { isSink } from '../../explanations/sinks.ts';
import { memoryOf, type Weights } from '../../models/model.ts';
import { markdownTokens } from '../../files/markdown-tokens.ts';
import { Button } from '../../parts/buttons.tsx';
import { PageLayout } from '../../parts/layout/page-layout.tsx';
import type { CardState, ModelFacts } from '../../stores/models-store.ts';
import { hashOfCard } from '../../stores/page-store.ts';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { fixedText, numberText, sizeText } from '../../words/language.ts';
import styles from './models-page.module.css';
import { modelsWords } from './words.en.ts';
import { byPlace } from '../../parts/by-place.ts';

const OwnModelsSection = lazy(async () => ({
  default: (await import('./own/own-models-section.tsx')).OwnModelsSection,
}));

const WritingPanel = lazy(async () => ({ default: (await import('./writing-panel.tsx')).WritingPanel }));

/** The models of the app, and the card of one: the one that the address names, else that of the Explain page. */
export function ModelsPage() {
  const { models: store } = useStores();
  const models = useStoreValue('models', (state) => state.models);
  const named = useStoreValue('page', (state) => state.part);
  const explaining = useStoreValue('engine', (state) => state.model);
  const shown = named ?? explaining;
  const cards = useStoreValue('models', (state) => state.cards);
  const model = models.find(({ name }) => name === shown);
  const words = modelsWords();
  const isMissing = model !== undefined && !cards[shown]; // a model of one's own may be listed later, or again with other files
  useEffect(() => {
    if (isMissing) void store.getState().open(shown);
  }, [store, shown, isMissing]);
  return (
    <PageLayout title={words.title} claim={words.claim}>
      <Suspense fallback={null}>
        <OwnModelsSection />
      </Suspense>
      <div className={styles.columns}>
        <nav className={styles.list} aria-label={words.list}>
          {models.map((listed) => (
            <a key={listed.name} href={hashOfCard(listed.name)} aria-current={listed === model ? 'true' : undefined}>
              <ModelLines model={listed} />
            </a>
          ))}
        </nav>
        <div className={styles.shown}>
          {model?.weights && (
            <WeightsBlock kinds={models.filter(({ folder }) => folder === model.folder)} shown={shown} />
          )}
          {model?.writes && (
            <Suspense fallback={null}>
              <WritingPanel key={shown} model={shown} />
            </Suspense>
          )}
          {model?.writes && model.tier === 'steered' && canCalibrate(shown) && <CalibrationBlock name={shown} />}
          {typeof model?.upstream !== 'string' && <CardBlock name={shown} state={model ? cards[shown] : 'unknown'} />}
        </div>
      </div>
    </PageLayout>
  );
}

/** Description and inputs of a model; without a translation, its own description in English. */
function ModelLines({ model }: { readonly model: ModelFacts }) {
  const { name, description, contextTokens, readsImages, tier, reason, upstream } = model;
  const words = modelsWords();
  const local = modelsWords().local;
  const translated = words.descriptions[name];
  const tokens = numberText(contextTokens);
  return (
    <>
      <strong>{name}</strong>
      {translated === undefined ? <span lang="en">{description}</span> : <span>{translated}</span>}
      <span className={styles.facts}>
        {tier === 'refused' ? local.tiers.refused : readsImages ? words.readsPictures(tokens) : words.readsText(tokens)}
      </span>
      {tier === 'as_exported' && (
        <span className={styles.facts}>{upstream === null ? local.tiers.as_exported : local.ofServer}</span>
      )}
      {reason !== null && <span className={styles.facts}>{local.why(reason)}</span>}
    </>
  );
}

/** The kinds of weights of a model, with what each takes; where there are several, choosing one shows it. */
function WeightsBlock({ kinds, shown }: { readonly kinds: readonly ModelFacts[]; readonly shown: string }) {
  const words = modelsWords().weights;
  const takes = ({ fileBytes, computedBytes }: Weights) =>
    words.takes(sizeText(fileBytes), sizeText(memoryOf(computedBytes)));
  const [only, ...others] = kinds;
  if (only?.weights && others.length === 0)
    return (
      <p>
        {only.weights.kind}: {takes(only.weights)}
      </p>
    );
  return (
    <nav className={styles.weights} aria-label={words.title}>
      {kinds.map(
        ({ name, weights }) =>
          weights && (
            <a key={name} href={hashOfCard(name)} aria-current={name === shown ? 'true' : undefined}>
              <strong>{weights.kind}</strong>
              <span>{takes(weights)}</span>
            </a>
          ),
      )}
    </nav>
  );
}

/** How explanations of a model that the user has added are made, and the measurements behind that. */
function CalibrationBlock({ name }: { readonly name: string }) {
  const { settings, change } = useStoreValue('settings', (state) => state);
  const words = modelsWords().calibration;
  const found = ownValue(settings.calibrations, name);
  if (!found) return <p className={styles.facts}>{words.none}</p>;
  const { factor, hidden, dimmed, lossDimmed, lossDeleted, delimiterDimmed, delimiterDeleted } = found;
  const losses = [fixedText(lossDimmed, 2), fixedText(lossDeleted, 2)] as const;
  const isDependent = isSink({ dimmed: lossDimmed, deleted: lossDeleted });
  const hasDelimiter = isSink({ dimmed: delimiterDimmed, deleted: delimiterDeleted });
  const forget = () => {
    const { [name]: _, ...others } = settings.calibrations;
    change({ calibrations: others });
  };
  return (
    <section className={styles.facts} data-testid="calibration">
      <p>
        {(isDependent ? words.depends : words.independent)(...losses)}{' '}
        {hasDelimiter && `${words.delimiter(fixedText(delimiterDimmed, 2), fixedText(delimiterDeleted, 2))} `}
        {(factor === 0 ? words.hides : words.dims)(fixedText(hidden, 2), fixedText(dimmed, 2))}
      </p>
      <Button look="quiet" onClick={forget}>
        {words.again}
      </Button>
    </section>
  );
}

/** A model's card, or why there is none; `state` is undefined until it is requested. */
function CardBlock({ name, state }: { readonly name: string; readonly state: CardState | 'unknown' | undefined }) {
  const { models } = useStores();
  const words = modelsWords();
  if (state === 'unknown') return <p role="alert">{words.unknown(name)}</p>;
  if (!state || state.kind === 'loading') return <p aria-busy>{words.loading(name)}</p>;
  if (state.kind === 'failed') {
    return (
      <p role="alert">
        {words.failed(state.message)}{' '}
        <Button onClick={() => void models.getState().open(name)}>{words.tryAgain}</Button>
      </p>
    );
  }
  const { facts, text } = state.card;
  if (facts.length === 0 && text === '') return <p>{modelsWords().local.noCard}</p>;
  return (
    <article className={styles.card} lang="en" data-testid="model-card">
      <dl className={styles.matter}>
        {facts.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name.replaceAll('_', ' ')}</dt>
            <dd>{fact.values.join(', ')}</dd>
          </div>
        ))}
      </dl>
      <Markdown text={text} />
    </article>
  );
}

/** Markdown as React elements, its sections folded. No HTML is created, and HTML in a text is shown as text. */
const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const tokens = markdownTokens(text);
  if (!tokens) return <pre className={styles.text}>{text}</pre>;
  const starts = tokens.flatMap(({ type, depth }: Token & { depth?: number }, at) =>
    type === 'heading' && depth === 2 ? [at] : [],
  );
  return (
    <div className={styles.text}>
      {all(tokens.slice(0, starts[0]))}
      {byPlace(starts, (start, place) => (
        <details>
          <summary>{all(tokens.slice(start, start + 1))}</summary>
          <div className={styles.text}>{all(tokens.slice(start + 1, starts[place + 1]))}</div>
        </details>
      ))}
    </div>
  );
});

function all(tokens: readonly Token[] = []): ReactNode {
  return byPlace(tokens, (token) => elementOf(token as MarkedToken)); // no extension adds other tokens
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6', 'h6'] as const; // the page has the h1
const TAGS = { paragraph: 'p', strong: 'strong', em: 'em', del: 'del', blockquote: 'blockquote' } as const;

function elementOf(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'heading':
    case 'paragraph':
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote': {
      const Tag = token.type === 'heading' ? (HEADINGS[token.depth - 1] ?? 'h6') : TAGS[token.type];
      return <Tag>{all(token.tokens)}</Tag>;
    }
    case 'text':
      return token.tokens ? all(token.tokens) : token.text;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'list':
      return listOf(token);
    case 'table':
      return tableOf(token);
    case 'link':
      return linkOf(token);
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'escape':
      return token.text;
    case 'space':
    case 'def':
      return null;
    default:
      return token.raw; // HTML, pictures
  }
}

function listOf({ ordered, items }: Tokens.List): ReactNode {
  const List = ordered ? 'ol' : 'ul';
  return (
    <List>
      {byPlace(items, (item) => (
        <li>{all(item.tokens)}</li>
      ))}
    </List>
  );
}

/** An empty head is left out: cards write lists of facts as such tables. */
function tableOf({ header, rows }: Tokens.Table): ReactNode {
  const hasHead = header.some(({ text }) => text.trim() !== '');
  return (
    <div className={styles.scroll}>
      <table>
        {hasHead && (
          <thead>
            <tr>
              {byPlace(header, ({ tokens, align }) => (
                <th scope="col" align={align ?? undefined}>
                  {all(tokens)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>{byPlace(rows, rowOf)}</tbody>
      </table>
    </div>
  );
}

function rowOf(cells: readonly Tokens.TableCell[]): ReactNode {
  return (
    <tr>
      {byPlace(cells, ({ tokens, align }) => (
        <td align={align ?? undefined}>{all(tokens)}</td>
      ))}
    </tr>
  );
}

/** Only http addresses become links; anything else, such as a file of the project, stays text. */
function linkOf({ href, tokens }: Tokens.Link): ReactNode {
  if (!/^https?:\/\//.test(href)) return all(tokens);
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {all(tokens)}
    </a>
  );
}
