import { createContext, memo, use } from 'react';
import { type BarShapeProps, Bar, BarChart, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { resultWords } from './words.en.ts';
import { activeIn } from '../explanations/selection-store.ts';
import { signOf } from './colours.ts';
import { useSectionLinks } from './section-links.ts';
import { inNats, natsText, scoreText } from './texts.ts';
import { useStoreValue } from '../stores/use-stores.ts';
import { barDomain, type BarRow, nameWidth } from './influence-series.ts';
import styles from './influence-bars.module.css';

const ROW_PIXELS = 28;
/** Room for the number beside the longest bar. */
const NUMBER_PIXELS = 52;

/**
 * Horizontal bars around zero: to the right supports, to the left opposes. Each bar draws its own name: an axis would
 * measure every label, which blocks the page.
 */
export const InfluenceBars = memo(function InfluenceBars({ rows }: { readonly rows: readonly BarRow[] }) {
  const { stop, links } = useSectionLinks();
  const reachable = rows.some((row) => row.id === stop) ? stop : (rows[0]?.id ?? null);
  const [low, high] = barDomain(rows);
  const padding = { left: low < 0 ? NUMBER_PIXELS : 0, right: high > 0 ? NUMBER_PIXELS : 0 };
  const margin = { top: 4, right: 0, bottom: 4, left: nameWidth(rows) };
  return (
    <div className={styles.bars} data-testid="bars" role="group" aria-label={resultWords().bars.label} {...links}>
      <ReachableBar value={reachable}>
        <ResponsiveContainer width="100%" height={rows.length * ROW_PIXELS + 8}>
          <BarChart data={[...rows]} layout="vertical" margin={margin} accessibilityLayer={false}>
            <XAxis type="number" domain={[low, high]} padding={padding} hide />
            <YAxis type="category" dataKey="id" hide />
            <Bar dataKey="score" isAnimationActive={false} shape={BarShape} />
          </BarChart>
        </ResponsiveContainer>
      </ReachableBar>
    </div>
  );
});

/** Id of the one bar that the Tab key reaches; the chart creates the bars, so it cannot be a prop. */
const ReachableBar = createContext<string | null>(null);

/** Between a bar and the text beside it, pixels. */
const GAP_PIXELS = 6;

/** One bar with its name and number; the whole row reacts to the pointer. */
function BarShape({ x, y, width, height, background, payload }: BarShapeProps) {
  const { id, name, score, margin } = payload as BarRow; // the row that the chart was given
  const reachable = use(ReachableBar);
  const isActive = useStoreValue('selection', (state) => activeIn(state) === id);
  const left = Math.min(x, x + width);
  const right = Math.max(x, x + width);
  const middle = y + height / 2;
  const zero = score < 0 ? right : left;
  return (
    <g
      className={styles.row}
      data-section={id}
      data-sign={signOf(score)}
      data-active={isActive || undefined}
      data-estimated={margin !== null || undefined}
      tabIndex={id === reachable ? 0 : -1}
      role="img"
      aria-label={`${name}, ${inNats(scoreText(score, margin))}`}
    >
      <rect className={styles.hit} x="0" y={y - 4} width="100%" height={height + 8} />
      <text className={styles.name} x={(background?.x ?? left) - 2 * GAP_PIXELS} y={middle}>
        {name}
      </text>
      <line className={styles.zero} x1={zero} x2={zero} y1={y - 4} y2={y + height + 4} />
      <rect className={styles.bar} x={left} y={y} width={Math.max(1, right - left)} height={height} rx="2" />
      <text
        className={score < 0 ? styles.numberBefore : styles.number}
        x={score < 0 ? left - GAP_PIXELS : right + GAP_PIXELS}
        y={middle}
      >
        {natsText(score)}
      </text>
    </g>
  );
}
