import type { Row } from '../../evaluation.ts';
import { meanOf } from '../../measures/mean.ts';
import { type Budget, BUDGETS, type Found, type Measured } from './found.ts';

/** Prompts that are listed together. */
export interface Group {
  /** Behind the name of a row; empty for all. */
  readonly name: string;
  readonly measured: readonly Measured[];
}

/** What of a budget is listed of all prompts. */
const FIGURES: Readonly<Record<string, (found: Found) => number | null>> = {
  'prompts with all five': ({ confirmed }) => Number(confirmed === 1),
  'positions over those of exact scores': ({ spent }) => spent,
  'time over that of exact scores': ({ time }) => time,
  'of the five greatest, exact when this share of the time has passed': ({ confirmedInTime }) => confirmedInTime,
  'estimates within their margin, 0.9 nominal': ({ covered }) => covered,
  'median margin, nats': ({ margin }) => margin,
};

/** Rows for each budget: what is exact by group, the first of which is all, then the other figures of all. */
export function rowsOf(groups: readonly Group[]): Row[] {
  return BUDGETS.flatMap((budget) => {
    const of = groups.map(({ name, measured }) => ({
      name,
      found: measured.map(({ found }) => foundIn(found, budget)),
    }));
    return [
      ...of.flatMap(({ name, found }) => [
        ...greatestRow(`budget ${budget}: of the five greatest, exact${name}`, found),
        ...row(
          `budget ${budget}: until the greatest is shown as such, over the time of exact scores${name}`,
          found.map(({ topTime }) => topTime),
        ),
      ]),
      ...Object.entries(FIGURES).flatMap(([name, figure]) => {
        const values = (of[0]?.found ?? []).flatMap((each) => figure(each) ?? []);
        return row(`budget ${budget}: ${name}`, values);
      }),
    ];
  });
}

function greatestRow(what: string, found: readonly Found[]): Row[] {
  const attended = found.flatMap(({ byAttention }) => byAttention ?? []);
  const own = found.map(({ confirmed }) => confirmed);
  if (own.length === 0) return [];
  return row(what, own, {
    ...(attended.length > 0 && { 'attention order': meanOf(attended) }),
    random: meanOf(found.map(({ byChance }) => byChance)),
  });
}

function row(what: string, values: readonly number[], baselines: Row['baselines'] = {}): Row[] {
  return values.length === 0 ? [] : [{ what, model: meanOf(values), baselines, items: values.length }];
}

function foundIn(found: Measured['found'], budget: Budget): Found {
  const own = found[budget];
  if (!own) throw new RangeError(`expected what was found with budget ${budget}, got ${Object.keys(found).join(', ')}`);
  return own;
}
