import { useEffect } from 'react';
import type { CardState } from '../../state/models/models-store.ts';
import { localModelsWords } from '../../words/en/local-models.ts';
import { hashOfCard } from '../../state/page/page-store.ts';
import { Button } from '../parts/buttons.tsx';
import { Page } from '../parts/layout/page.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
import { Markdown } from './markdown.tsx';
import styles from './models-page.module.css';

/** The models of the app: what each is for, and its card. Without a name in the address, the one that explains. */
export function ModelsPage() {
  const { models: store } = useStores();
  const models = useStoreValue('models', (state) => state.models);
  const named = useStoreValue('page', (state) => state.model);
  const explaining = useStoreValue('engine', (state) => state.model);
  const shown = named ?? explaining;
  const cards = useStoreValue('models', (state) => state.cards);
  const words = localModelsWords();
  useEffect(() => void store.getState().open(shown), [store, shown]);
  return (
    <Page title="Models" claim="Training data, quality and limitations of each model.">
      <div className={styles.columns}>
        <nav className={styles.list} aria-label="Models">
          {models.map(({ name, description, contextTokens, readsImages, tier, reason }) => (
            <a key={name} href={hashOfCard(name)} aria-current={name === shown ? 'true' : undefined}>
              <strong>{name}</strong>
              <span>{description}</span>
              <span className={styles.facts}>
                {tier === 'refused'
                  ? words.tiers.refused
                  : `${readsImages ? 'reads text and pictures' : 'reads text'}, up to ${contextTokens.toLocaleString('en')} tokens`}
              </span>
              {tier === 'as_exported' && <span className={styles.facts}>{words.tiers.as_exported}</span>}
              {reason !== null && <span className={styles.facts}>{words.why(reason)}</span>}
            </a>
          ))}
        </nav>
        <CardBlock name={shown} state={models.some(({ name }) => name === shown) ? cards[shown] : 'unknown'} />
      </div>
    </Page>
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
  if (state === 'unknown') return <p role="alert">No model named ‘{name}’.</p>;
  if (!state || state.kind === 'loading') return <p aria-busy>Fetching the card of {name}</p>;
  if (state.kind === 'failed') {
    return (
      <p role="alert">
        The card could not be fetched: {state.message}{' '}
        <Button onClick={() => void models.getState().open(name)}>Try again</Button>
      </p>
    );
  }
  const { facts, text } = state.card;
  if (facts.length === 0 && text === '') return <p>{localModelsWords().noCard}</p>;
  return (
    <article className={styles.card} data-testid="model-card">
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
