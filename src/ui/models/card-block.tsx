import type { CardState } from '../../state/models/models-store.ts';
import { Button } from '../parts/button.tsx';
import { useStores } from '../use-stores.ts';
import { Markdown } from './markdown.tsx';
import styles from './models-page.module.css';

/** See `CardBlock`. */
export interface CardBlockProps {
  readonly name: string;
  /** Undefined until it is asked for. */
  readonly state: CardState | 'unknown' | undefined;
}

/** A model's card, or why it is not there. */
export function CardBlock({ name, state }: CardBlockProps) {
  const { models } = useStores();
  if (state === 'unknown') return <p role="alert">There is no model of the name ‘{name}’ here.</p>;
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
