import { hashOfCard } from '../../state/page/page-store.ts';
import { type Theme, THEMES } from '../../state/page/theme-store.ts';
import { Button } from '../parts/buttons.tsx';
import { Tooltip } from '../parts/feedback/tooltip.tsx';
import { useEngine, useStores, useTheme } from '../use-stores.ts';
import { engineText } from './engine-text.ts';
import { Icon } from './icons.tsx';
import styles from './header.module.css';

/** Which model answers, and on what, with its card behind it; the reason is in the tooltip. */
export function ModelBadge() {
  const model = useEngine((state) => state.model);
  const status = useEngine((state) => state.status);
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
          <span className={styles.lamp} aria-hidden />
          <span>
            <span className={styles.model}>{model}</span> · {short}
          </span>
        </a>
      )}
    </Tooltip>
  );
}

const LOOKS = {
  system: { shape: 'device', text: 'Colours follow the device' },
  light: { shape: 'sun', text: 'Light colours' },
  dark: { shape: 'moon', text: 'Dark colours' },
} as const satisfies Record<Theme, object>;

/** Goes round the themes. */
export function ThemeChoice() {
  const { theme: store } = useStores();
  const theme = useTheme((state) => state.theme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const { shape, text } = LOOKS[theme];
  return (
    <Tooltip text={`${text}; press for: ${LOOKS[next].text.toLowerCase()}`}>
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
