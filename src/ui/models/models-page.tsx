import { useEffect } from 'react';
import { hashOfCard } from '../../state/page/page-store.ts';
import { PageHead } from '../parts/layout/page-head.tsx';
import { useEngine, useModels, usePage, useStores } from '../use-stores.ts';
import { CardBlock } from './card-block.tsx';
import styles from './models-page.module.css';

/** The models of the app: what each is for, and its card. Without a name in the address, the one that explains. */
export function ModelsPage() {
  const { models: store } = useStores();
  const models = useModels((state) => state.models);
  const named = usePage((state) => state.model);
  const explaining = useEngine((state) => state.model);
  const shown = named ?? explaining;
  const cards = useModels((state) => state.cards);
  useEffect(() => void store.getState().open(shown), [store, shown]);
  return (
    <main>
      <PageHead title="Models" claim="What each was made from, how good it is, and what it is bad at." />
      <div className={styles.columns}>
        <nav className={styles.list} aria-label="Models">
          {models.map(({ name, description, contextTokens, readsImages }) => (
            <a key={name} href={hashOfCard(name)} aria-current={name === shown ? 'true' : undefined}>
              <strong>{name}</strong>
              <span>{description}</span>
              <span className={styles.facts}>
                {readsImages ? 'reads text and pictures' : 'reads text'}, up to {contextTokens.toLocaleString('en')}{' '}
                tokens
              </span>
            </a>
          ))}
        </nav>
        <CardBlock name={shown} state={models.some(({ name }) => name === shown) ? cards[shown] : 'unknown'} />
      </div>
    </main>
  );
}
