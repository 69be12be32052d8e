import { hashOfCard } from '../../state/page/page-store.ts';
import { type Theme, THEMES } from '../../state/page/theme-store.ts';
import { Button } from '../parts/buttons.tsx';
import { Lamp } from '../parts/feedback/lamp.tsx';
import { Tooltip } from '../parts/feedback/tooltip.tsx';
import { useStores, useStoreValue } from '../use-stores.ts';
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

const LOOKS = {
  system: { shape: 'device', text: 'Theme: system' },
  light: { shape: 'sun', text: 'Theme: light' },
  dark: { shape: 'moon', text: 'Theme: dark' },
} as const satisfies Record<Theme, object>;

/** Switches to the next theme. */
export function ThemeChoice() {
  const { theme: store } = useStores();
  const theme = useStoreValue('theme', (state) => state.theme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const { shape, text } = LOOKS[theme];
  return (
    <Tooltip text={`Switch to theme: ${next}`}>
      {(describedBy) => (
        <Button
          look="quiet"
          aria-label={text}
          aria-describedby={describedBy}
          onClick={() => store.getState().choose(next)}
        >
          <Icon shape={shape} />
        </Button>
      )}
    </Tooltip>
  );
}
