import { memo } from 'react';
import { Bar, BarChart, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { useSectionLinks } from '../section-links.ts';
import { BarShape, ReachableBar } from './bar-shape.tsx';
import styles from './influence-bars.module.css';
import { barDomain, nameWidth, type BarRow } from './influence-series.ts';

const ROW_PIXELS = 28;
/** Room for the number beside the longest bar. */
const NUMBER_PIXELS = 52;

/**
 * Horizontal bars around zero: to the right supports, to the left opposes. Each bar writes its own name: an axis would
 * measure every label, which holds the page.
 */
export const InfluenceBars = memo(function InfluenceBars({ rows }: { readonly rows: readonly BarRow[] }) {
  const { stop, links } = useSectionLinks();
  const reachable = rows.some((row) => row.id === stop) ? stop : (rows[0]?.id ?? null);
  const [low, high] = barDomain(rows);
  const padding = { left: low < 0 ? NUMBER_PIXELS : 0, right: high > 0 ? NUMBER_PIXELS : 0 };
  const margin = { top: 4, right: 0, bottom: 4, left: nameWidth(rows) };
  return (
    <div className={styles.bars} data-testid="bars" role="group" aria-label="Strongest sections as bars" {...links}>
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
