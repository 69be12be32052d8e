import type { OwnModel } from '../../../state/models/own/folders-store.ts';
import { shareOf } from '../../../state/models/engine-store.ts';
import { ownModelsWords } from '../../../words/en/models/own.ts';
import { dateText, numberText, sizeText } from '../../../words/numbers.ts';
import { Button } from '../../parts/buttons.tsx';
import { Section } from '../../settings/fields.tsx';
import { useValueOf } from '../../use-stores.ts';
import styles from './own-models.module.css';
import { useOwnModels } from './use-own-models.ts';

/** What somebody has added, and how much room it takes. */
export function KeptSection() {
  const words = ownModelsWords().kept;
  const { folders } = useOwnModels();
  const { models, space, lastUses } = useValueOf(folders, (state) => state);
  return (
    <Section title={words.title} about={words.about}>
      {models.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <ul className={styles.list} aria-label={words.table}>
          {models.map((model) => (
            <KeptModel key={model.name} model={model} usedAt={lastUses[model.name] ?? null} />
          ))}
        </ul>
      )}
      {space && (
        <p className={styles.quiet}>
          {words.space(sizeText(space.used), sizeText(Math.max(0, space.allowed - space.used)))}
        </p>
      )}
    </Section>
  );
}

function KeptModel({ model, usedAt }: { readonly model: OwnModel; readonly usedAt: number | null }) {
  const { name, bytes, isKept, copying, from, problem } = model;
  const words = ownModelsWords().kept;
  const { keep, remove } = useOwnModels().folders.getState();
  const share = shareOf(copying);
  return (
    <li data-model={name}>
      <strong>{name}</strong>
      <span>
        {sizeText(bytes)} · {isKept ? words.isKept : words.isNot} · {words.used}:{' '}
        {usedAt === null ? words.never : dateText(usedAt)}
      </span>
      {from && <span className={styles.quiet}>{words.from(from.hub, from.commit.slice(0, 12))}</span>}
      {copying && <span>{words.copying(numberText(share ?? 0, { style: 'percent' }))}</span>}
      {problem !== null && <span role="alert">{words.problem(problem)}</span>}
      <span className={styles.row}>
        {!isKept && !copying && (
          <Button aria-label={words.keepOne(name)} onClick={() => void keep(name)}>
            {words.keep}
          </Button>
        )}
        <Button aria-label={words.removeOne(name)} disabled={copying !== null} onClick={() => void remove(name)}>
          {words.remove}
        </Button>
      </span>
    </li>
  );
}
