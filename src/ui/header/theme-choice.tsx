import { THEMES, type Theme } from '../../state/page/theme-store.ts';
import { Button } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { Tooltip } from '../parts/feedback/tooltip.tsx';
import { useStores, useTheme } from '../use-stores.ts';

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
