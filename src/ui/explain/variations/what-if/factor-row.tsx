import type { Section } from '../../../../state/explain/influence.ts';
import { whatIfWords } from '../../../../words/en/explain/what-if.ts';
import { Button } from '../../../parts/buttons.tsx';
import { StopsSlider } from '../../../parts/fields/stops-slider.tsx';
import { sectionPhrase, strengthText } from '../../texts.ts';
import styles from './what-if.module.css';
import { ATTENTION_STOPS } from './what-if-texts.ts';

/** What a row shows and does. */
export interface FactorRowProps {
  readonly section: Section;
  readonly factor: number;
  readonly onChange: (factor: number) => void;
  readonly onReset: () => void;
  /** Escape: back to the section in the text. */
  readonly onLeave: () => void;
}

/** The slider of one section. */
export function FactorRow({ section, factor, onChange, onReset, onLeave }: FactorRowProps) {
  const words = whatIfWords();
  const name = sectionPhrase(section);
  const text = strengthText(factor);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a key for all that is inside
    <div
      className={styles.row}
      role="group"
      aria-label={name}
      data-row={section.id}
      data-testid="factor-row"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>{text}</span>
      <StopsSlider label={words.slider(name)} stops={ATTENTION_STOPS} value={factor} text={text} onChange={onChange} />
      {factor !== 1 && (
        <Button look="quiet" aria-label={words.resetOne(name)} onClick={onReset}>
          {words.reset}
        </Button>
      )}
    </div>
  );
}
