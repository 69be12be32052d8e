import { createContext, use } from 'react';
import type { BarShapeProps } from 'recharts';
import { activeIn } from '../../state/selection-store.ts';
import { signOf } from '../explain/colour-scale.ts';
import { natsText } from '../explain/nats.ts';
import { useSelection } from '../use-stores.ts';
import styles from './influence-bars.module.css';
import type { BarRow } from './influence-series.ts';

/** Id of the one bar that the Tab key reaches; the chart makes its bars itself, so it cannot come as a property. */
export const ReachableBar = createContext<string | null>(null);

/** One bar with its number; the whole row answers to the pointer. */
export function BarShape(bar: BarShapeProps) {
  const reachable = use(ReachableBar);
  const { id, name, score } = bar.payload as BarRow; // the row that the chart was given
  const isActive = useSelection((state) => activeIn(state) === id);
  const left = Math.min(bar.x, bar.x + bar.width);
  const width = Math.abs(bar.width);
  const number = natsText(score);
  return (
    <g
      className={styles.row}
      data-section={id}
      data-sign={signOf(score)}
      data-active={isActive || undefined}
      tabIndex={id === reachable ? 0 : -1}
      role="img"
      aria-label={`${name}, ${number} nats`}
    >
      <rect className={styles.hit} x="0" y={bar.y - 4} width="100%" height={bar.height + 8} />
      <rect className={styles.bar} x={left} y={bar.y} width={Math.max(1, width)} height={bar.height} rx="2" />
      <text
        className={styles.number}
        x={score < 0 ? left - 6 : left + width + 6}
        y={bar.y + bar.height / 2}
        textAnchor={score < 0 ? 'end' : 'start'}
        dominantBaseline="central"
      >
        {number}
      </text>
    </g>
  );
}
