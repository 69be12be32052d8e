import { seededRandom } from '../../workers/kernels/seeded-random.ts';

const FIRST = ['Ada', 'Noah', 'Frieda', 'Olga', 'Jonas', 'Mara', 'Emil', 'Ines', 'Bruno', 'Zoë'];
const LAST = ['Brook', 'Lind', 'Holm', 'Berg', 'Østby', 'Kraus', 'Novak', 'Reyes', 'Fontaine', 'Müller'];
const TOWNS = ['Bremen', 'Malmö', 'Utrecht', 'Ghent', 'Porto', 'Turku'];
const STREETS = ['Canal Street', 'Harbour Lane', 'Mill Road', 'Old Market'];

/** Invented people, addresses and numbers, the same for each seed. */
export function inventedBy(seed: number) {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <Value>(values: readonly [Value, ...Value[]] | readonly Value[]) =>
    values[below(values.length)] as Value;
  return {
    below,
    person: () => `${oneOf(FIRST)} ${oneOf(LAST)}`,
    address: () => `${oneOf(STREETS)} ${1 + below(98)}, ${10_000 + below(89_999)} ${oneOf(TOWNS)}`,
    number: () => `${100 + below(899)}-${1000 + below(8999)}`,
    amount: () => `${(200 + below(4_000_00) / 100).toFixed(2)}`,
    date: () => `${1 + below(28)} ${oneOf(['March', 'May', 'June', 'October'])} 20${20 + below(9)}`,
  };
}

/** One of them. */
export type Invented = ReturnType<typeof inventedBy>;
