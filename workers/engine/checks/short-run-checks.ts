import { differenceOf, repeated, joined } from '../../kernels/float-arrays.ts';
import type { Network } from '../network.ts';
import { type Observe, type Compare, testIds, factorsOf, type Observation } from './test-runs.ts';

const SHORT_TOKENS = 6;
/** The column that is perturbed. */
const COLUMN = 2;

/**
 * What factors change in a short sequence, and what they must not change.
 *
 * @returns whether positions see earlier ones only
 */
export async function checkShort(
  network: Network,
  observe: Observe,
  compare: Compare,
  faults: string[],
): Promise<boolean> {
  const ids = testIds(network, SHORT_TOKENS, 0);
  const { values: plain } = await observe({ batch: 1, ids });
  const rowLength = plain.length / SHORT_TOKENS;
  const neutral = factorsOf(SHORT_TOKENS, {});
  const suppressed = factorsOf(SHORT_TOKENS, { [COLUMN]: 0 });
  const weakened = factorsOf(SHORT_TOKENS, { [COLUMN]: 0.3 });
  for (const mode of ['additive', 'multiplicative'] as const)
    compare(
      `neutral ${mode} factors`,
      (await observe({ batch: 1, ids, perturbation: { mode, factors: neutral } })).values,
      plain,
    );
  const single = await Promise.all(
    [neutral, suppressed, weakened].map((factors) =>
      observe({ batch: 1, ids, perturbation: { mode: 'additive', factors } }),
    ),
  );
  const [, effect] = single;
  const before = COLUMN * rowLength;
  const changeBefore = differenceOf(effect?.values.subarray(0, before), plain.subarray(0, before));
  const changeBehind = differenceOf(effect?.values.subarray(before), plain.subarray(before));
  if (!(changeBehind > 0)) faults.push('suppressing a column changes nothing: the perturbation is ignored');
  const isCausal = changeBefore <= 1e-3 * changeBehind;
  if (network.shape.sharesKvCache && !isCausal)
    faults.push(`suppressing column ${COLUMN} changes rows before it by ${changeBefore.toPrecision(2)}`);
  await checkBlindness(network, observe, compare, { ids, rowLength });
  const batch = await observe({
    batch: 3,
    ids: repeated(ids, 3),
    perturbation: { mode: 'additive', factors: joined([neutral, suppressed, weakened]) },
  });
  compare('a batch of three against single runs', batch.values, joined(single.map(({ values }) => values)));
  return isCausal;
}

async function checkBlindness(
  network: Network,
  observe: Observe,
  compare: Compare,
  { ids, rowLength }: { readonly ids: Int32Array; readonly rowLength: number },
): Promise<void> {
  const factors = factorsOf(SHORT_TOKENS, { 0: 0, 1: 0 });
  const others = Int32Array.from(ids, (id, index) =>
    index < COLUMN ? (testIds(network, SHORT_TOKENS, 1)[index] ?? id) : id,
  );
  const [one, other] = await Promise.all(
    [ids, others].map((each) => observe({ batch: 1, ids: each, perturbation: { mode: 'additive', factors } })),
  );
  const behind = (seen: Observation | undefined) => (seen?.values ?? new Float32Array(0)).subarray(COLUMN * rowLength);
  compare(
    'what stands in suppressed columns still matters, so that not every attention is controlled',
    behind(one),
    behind(other),
  );
}
