import { lazy, Suspense, useEffect } from 'react';
import type { CardState, ModelFacts } from '../../state/models/models-store.ts';
import { localModelsWords } from '../../words/en/models/local.ts';
import { hashOfCard } from '../../state/page/page-store.ts';
import { Button } from '../parts/buttons.tsx';
import { modelsWords } from '../../words/en/models/page.ts';
import { numberText } from '../../words/numbers.ts';
import { Page } from '../parts/layout/page.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import { Markdown } from './markdown.tsx';
import styles from './models-page.module.css';

const OwnModelsSection = lazy(async () => ({
  default: (await import('./own/own-models-section.tsx')).OwnModelsSection,
}));

const WritingPanel = lazy(async () => ({ default: (await import('./writing-panel.tsx')).WritingPanel }));

/** The models of the app: what each is for, and its card. Without a name in the address, the one that explains. */
export function ModelsPage() {
  const { models: store } = useStores();
  const models = useStoreValue('models', (state) => state.models);
  const named = useStoreValue('page', (state) => state.part);
  const explaining = useStoreValue('engine', (state) => state.model);
  const shown = named ?? explaining;
  const cards = useStoreValue('models', (state) => state.cards);
  const words = modelsWords();
  useEffect(() => void store.getState().open(shown), [store, shown]);
  return (
    <Page title={words.title} claim={words.claim}>
      <Suspense fallback={null}>
        <OwnModelsSection />
      </Suspense>
      <div className={styles.columns}>
        <nav className={styles.list} aria-label={words.list}>
          {models.map((model) => (
            <a key={model.name} href={hashOfCard(model.name)} aria-current={model.name === shown ? 'true' : undefined}>
              <ModelLines model={model} />
            </a>
          ))}
        </nav>
        <div className={styles.shown}>
          {models.some(({ name, writes }) => name === shown && writes) && (
            <Suspense fallback={null}>
              <WritingPanel key={shown} model={shown} />
            </Suspense>
          )}
          <CardBlock name={shown} state={models.some(({ name }) => name === shown) ? cards[shown] : 'unknown'} />
        </div>
      </div>
    </Page>
  );
}

/** What a model is for, and what it reads; a model that the words do not know says it itself, in English. */
function ModelLines({ model }: { readonly model: ModelFacts }) {
  const { name, description, contextTokens, readsImages, tier, reason } = model;
  const words = modelsWords();
  const local = localModelsWords();
  const translated = words.descriptions[name];
  const tokens = numberText(contextTokens);
  return (
    <>
      <strong>{name}</strong>
      {translated === undefined ? <span lang="en">{description}</span> : <span>{translated}</span>}
      <span className={styles.facts}>
        {tier === 'refused' ? local.tiers.refused : readsImages ? words.readsPictures(tokens) : words.readsText(tokens)}
      </span>
      {tier === 'as_exported' && <span className={styles.facts}>{local.tiers.as_exported}</span>}
      {reason !== null && <span className={styles.facts}>{local.why(reason)}</span>}
    </>
  );
}

/** See `CardBlock`. */
interface CardBlockProps {
  readonly name: string;
  /** Undefined until it is asked for. */
  readonly state: CardState | 'unknown' | undefined;
}

/** A model's card, or why it is not there. */
function CardBlock({ name, state }: CardBlockProps) {
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
  if (facts.length === 0 && text === '') return <p>{localModelsWords().noCard}</p>;
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
