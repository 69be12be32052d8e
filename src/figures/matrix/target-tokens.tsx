import { type Influence, type ScoreView, viewIn } from '../../explanations/influence.ts';
import { resultWords } from '../words.en.ts';
import { Choice, type Option } from '../../parts/fields/choice.tsx';
import { useStores, useStoreValue } from '../../stores/use-stores.ts';
import { visibleText } from '../../words/language.ts';
import styles from './target-tokens.module.css';

/** Selects the explanation that is shown: of the whole target or of one word. Hovering over a word previews it. */
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

function viewOf(value: string): ScoreView {
  return value === 'whole' ? 'whole' : Number(value);
}
