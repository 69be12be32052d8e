import { hashOfCard } from '../../../state/page/page-store.ts';
import { type Theme, THEMES } from '../../../state/page/theme-store.ts';
import { appWords } from '../../../words/en/app.ts';
import { Button } from '../../parts/buttons.tsx';
import { Lamp } from '../../parts/feedback/lamp.tsx';
import { Tooltip } from '../../parts/feedback/tooltip.tsx';
import { useStores, useStoreValue } from '../../use-stores.ts';
import { engineText } from './engine-text.ts';
import { Icon } from './icons.tsx';
import styles from './header.module.css';

const LAMPS = { loading: 'pulsing', ready: 'lit', failed: 'failed' } as const;

/** The model and its backend, as a link to its card; the tooltip says why this backend. */
export function ModelBadge() {
  const model = useStoreValue('engine', (state) => state.model);
  const status = useStoreValue('engine', (state) => state.status);
  const { short, long } = engineText(status);
  return (
    <Tooltip text={long}>
      {(describedBy) => (
        <a
          href={hashOfCard(model)}
          className={styles.badge}
          aria-describedby={describedBy}
          data-kind={status.kind}
          data-testid="model-badge"
        >
          <Lamp look={LAMPS[status.kind]} />
          <span>
            <span className={styles.model}>{model}</span> · {short}
          </span>
        </a>
      )}
    </Tooltip>
  );
}

const SHAPES = {
  system: 'device',
  light: 'sun',
  dark: 'moon',
} as const satisfies Record<Theme, string>;

/** Switches to the next theme. */
export function ThemeChoice() {
  const { theme: store } = useStores();
  const theme = useStoreValue('theme', (state) => state.theme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const words = appWords().theme;
  return (
    <Tooltip text={words.next[next]}>
      {(describedBy) => (
        <Button
          look="quiet"
          aria-label={words[theme]}
          aria-describedby={describedBy}
          onClick={() => store.getState().choose(next)}
        >
          <Icon shape={SHAPES[theme]} />
        </Button>
      )}
    </Tooltip>
  );
}
