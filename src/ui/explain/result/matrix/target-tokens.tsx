import { type Influence, type View, viewIn } from '../../../../state/explain/influence.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { Choice, type Option } from '../../../parts/fields/choice.tsx';
import { useStores, useStoreValue } from '../../../use-stores.ts';
import { visibleText } from '../../texts.ts';
import styles from './target-tokens.module.css';

/** Chooses whose explanation is shown: the whole target's or one word's. Hovering over a word previews it. */
export function TargetTokens({ influence }: { readonly influence: Influence }) {
  const { selection } = useStores();
  const chosen = viewIn(
    influence,
    useStoreValue('selection', (state) => state.view),
  );
  if (influence.targets.length < 2) return null;
  const words = resultWords().targets;
  const { choose, hoverView } = selection.getState();
  const tokens = influence.targets.map((text, index) => ({ value: String(index), label: visibleText(text) }));
  const options: Option<string>[] = [{ value: 'whole', label: words.whole }, ...tokens];
  return (
    <div className={styles.tokens} data-testid="target-tokens">
      <span className={styles.note}>{words.lead}</span>
      <Choice
        label={words.label}
        options={options}
        value={String(chosen)}
        onChoose={(value) => choose(viewOf(value))}
        onHover={(value) => hoverView(value === null ? null : viewOf(value))}
      />
    </div>
  );
}

function viewOf(value: string): View {
  return value === 'whole' ? 'whole' : Number(value);
}
