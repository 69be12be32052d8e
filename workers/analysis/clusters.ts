import { seededRandom } from '../kernels/seeded-random.ts';
import type { AnalysisTasks } from '../../src/protocol/analysis-tasks.ts';
import { type Rows, dot, rowAt } from './rows.ts';

/** The group of each row, and the number of groups. */
interface Grouping {
  /** `[rows]`, 0 to `count` − 1. */
  readonly labels: Int32Array;
  readonly count: number;
}

/** Numbers of groups to try if none is given: few texts form few groups. */
const COUNTS = [2, 3, 4, 5, 6, 7, 8, 10, 12];
/** Rows to compare numbers of groups on: more do not change which is best. */
const SAMPLE = 2000;
const ROUNDS = 25;
const SEED = 3;
const WORDS_OF_CLUSTER = 4;

/** Groups of texts, each with the words that distinguish it; `count` null: the number that separates best. */
export async function clustersOf(
  texts: readonly string[],
  vectors: Rows,
  count: number | null,
  pause: () => Promise<void>,
): Promise<AnalysisTasks['cluster']['output']> {
  const grouping = await groupsOf(vectors, count, pause);
  const sizes = new Int32Array(grouping.count);
  for (const label of grouping.labels) sizes[label] = (sizes[label] ?? 0) + 1;
  const words = wordsOfGroups(texts, grouping, WORDS_OF_CLUSTER);
  return {
    labels: grouping.labels,
    clusters: words.map((group, label) => ({ words: group, size: sizes[label] ?? 0 })),
  };
}

/**
 * Groups of rows of length 1, by spherical k-means with k-means++ initialization. Deterministic.
 *
 * @param count  null: the number in `COUNTS` with the best silhouette
 * @source       Dhillon and Modha 2001; Arthur and Vassilvitskii 2007; the simplified silhouette of Hruschka et al. 2004
 */
export async function groupsOf(rows: Rows, count: number | null, pause: () => Promise<void>): Promise<Grouping> {
  const wanted = count ?? (await bestCount(sampleOf(rows), pause));
  return kMeans(rows, Math.min(wanted, rows.count), pause);
}

async function bestCount(sample: Rows, pause: () => Promise<void>): Promise<number> {
  let [best, chosen] = [-Infinity, 1];
  for (const count of COUNTS.filter((tried) => tried <= Math.max(2, Math.sqrt(sample.count / 2)))) {
    const value = silhouette(sample, await kMeans(sample, count, pause));
    if (value > best) [best, chosen] = [value, count];
  }
  return chosen;
}

function sampleOf(rows: Rows): Rows {
  if (rows.count <= SAMPLE) return rows;
  const [values, step] = [new Float32Array(SAMPLE * rows.width), rows.count / SAMPLE];
  for (let at = 0; at < SAMPLE; at++) values.set(rowAt(rows, Math.floor(at * step)), at * rows.width);
  return { values, count: SAMPLE, width: rows.width };
}

async function kMeans(rows: Rows, count: number, pause: () => Promise<void>): Promise<Grouping> {
  const labels = new Int32Array(rows.count);
  if (count <= 1) return { labels, count };
  let centres = firstCentres(rows, count);
  for (let round = 0; round < ROUNDS; round++) {
    let moved = 0;
    for (let row = 0; row < rows.count; row++) {
      const label = nearest(centres, rowAt(rows, row));
      if (label !== labels[row]) moved++;
      labels[row] = label;
      if (row % 512 === 0) await pause();
    }
    if (round > 0 && moved === 0) break;
    centres = centresOf(rows, { labels, count }, centres);
  }
  return { labels, count };
}

/** Rows drawn one by one, those far from all drawn rows more likely. */
function firstCentres(rows: Rows, count: number): Float32Array[] {
  const random = seededRandom(SEED);
  const centres = [rowAt(rows, Math.floor(random() * rows.count)).slice()];
  const far = new Float64Array(rows.count).fill(Infinity);
  while (centres.length < count) {
    const newest = centres[centres.length - 1] ?? new Float32Array(rows.width);
    let sum = 0;
    for (let row = 0; row < rows.count; row++) {
      far[row] = Math.min(far[row] ?? 0, Math.max(0, 1 - dot(rowAt(rows, row), newest)));
      sum += far[row] ?? 0;
    }
    let left = random() * sum;
    const drawn = far.findIndex((distance) => (left -= distance) < 0);
    centres.push(rowAt(rows, Math.max(0, drawn)).slice());
  }
  return centres;
}

/** Means of the groups, of length 1; an empty group keeps its centre. */
function centresOf(rows: Rows, { labels, count }: Grouping, before: readonly Float32Array[]): Float32Array[] {
  const sums = Array.from({ length: count }, () => new Float32Array(rows.width));
  for (const [row, label] of labels.entries()) {
    const [sum, values] = [sums[label], rowAt(rows, row)];
    if (sum) for (let at = 0; at < rows.width; at++) sum[at] = (sum[at] ?? 0) + (values[at] ?? 0);
  }
  return sums.map((sum, label) => {
    const length = Math.sqrt(dot(sum, sum));
    return length === 0 ? (before[label] ?? sum) : sum.map((value) => value / length);
  });
}

function nearest(centres: readonly Float32Array[], row: Float32Array): number {
  let [best, chosen] = [-Infinity, 0];
  for (const [label, centre] of centres.entries()) {
    const cosine = dot(centre, row);
    if (cosine > best) [best, chosen] = [cosine, label];
  }
  return chosen;
}

/** Simplified silhouette: the mean of how much nearer the row's centre is than the next, −1 to 1. */
function silhouette(rows: Rows, grouping: Grouping): number {
  const centres = centresOf(rows, grouping, []);
  let sum = 0;
  for (const [row, label] of grouping.labels.entries()) {
    const distances = centres.map((centre) => 1 - dot(centre, rowAt(rows, row)));
    const nearest = distances[label] ?? 0;
    const other = Math.min(...distances.filter((_, index) => index !== label));
    sum += (other - nearest) / Math.max(nearest, other, Number.EPSILON);
  }
  return sum / Math.max(1, rows.count);
}

/** Letters of any script; a word that begins with a digit describes no group. */
const WORD = /\p{L}[\p{L}\p{N}'’-]+/gu;
const MIN_LETTERS = 3;

/**
 * The words that distinguish each group. Every text counts a word once, so that a text that repeats a word does not name its
 * group; words of a single text are used only if no text of the group shares a word.
 *
 * @returns `[groups][most]`, by descending weight; fewer if a group has no more
 * @source  class-based TF-IDF: Grootendorst 2022, arXiv:2203.05794, formula 2
 */
export function wordsOfGroups(texts: readonly string[], { labels, count }: Grouping, most: number): string[][] {
  const inGroups = Array.from({ length: count }, () => new Map<string, number>());
  for (const [row, text] of texts.entries())
    for (const word of new Set(namingWords(text))) {
      const group = inGroups[labels[row] ?? 0];
      group?.set(word, (group.get(word) ?? 0) + 1);
    }
  const inAll = new Map<string, number>();
  for (const group of inGroups) for (const [word, times] of group) inAll.set(word, (inAll.get(word) ?? 0) + times);
  const mean = [...inAll.values()].reduce((sum, times) => sum + times, 0) / Math.max(1, count);
  return inGroups.map((group) => {
    const weight = ([word, times]: readonly [string, number]) => times * Math.log(1 + mean / (inAll.get(word) ?? 1));
    const shared = [...group].filter(([, times]) => times > 1);
    return (shared.length > 0 ? shared : [...group])
      .toSorted((a, b) => weight(b) - weight(a) || a[0].localeCompare(b[0]))
      .slice(0, most)
      .map(([word]) => word);
  });
}

function namingWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  return words.filter((word) => word.length >= MIN_LETTERS && !FUNCTION_WORDS.has(word));
}

/** Function words of the page's languages: they describe no group. */
const ENGLISH = `about above after again against all also although always and another any anyone anything are aren't around
  because been before being below between both but can can't cannot could couldn't did didn't does doesn't doing don't
  down during each either enough even ever every everyone everything few for from further get gets getting got had hadn't
  has hasn't have haven't having her here hers herself him himself his how however i'd i'll i'm i've into isn't it's its
  itself just less let like made make makes many may maybe might mine more most much must myself need neither never nobody
  none nor not nothing now off often once one only other others ought our ours ourselves out over own perhaps quite rather
  really same several shall she should shouldn't since some someone something still such than that that's the their theirs
  them themselves then there there's these they they're this those though through thus too two under until upon use used
  using very was wasn't way well were weren't what when where whether which while who whole whom whose why will with within
  without won't would wouldn't yet you you're your yours yourself`;
const GERMAN = `aber alle allem allen aller alles als also ander andere anderem anderen anderer anderes auch auf aus bei beim
  bin bis bist dabei dadurch dafür daher dahin damals damit danach daneben dann daran darauf daraus darf darin darum
  darunter das dass davon davor dazu dein deine dem den denen denn dennoch der deren des deshalb dessen die dies diese
  diesem diesen dieser dieses doch dort durch eher ein eine einem einen einer eines einige einmal erst etwa etwas euch euer
  eure für gegen gibt habe haben hat hatte hätte hätten hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer
  immer indem ins ist jede jedem jeden jeder jedes jedoch jene jetzt kann kein keine keinem keinen keiner können könnte
  könnten machen macht man manche mehr mein meine meinem meinen meiner mich mir mit muss musste müssen nach nachdem nicht
  nichts noch nun nur oder ohne schon sehr sein seine seinem seinen seiner seit selbst sich sie sind sogar solche soll
  sollen sollte sondern sonst sowie über überhaupt und uns unser unsere unter viel viele vom von vor war waren warum was
  weder weil weiter welche welcher welches wenig wenn wer werde werden wie wieder will wir wird wirklich wissen wollen
  wurde wurden würde würden zum zur zwar zwischen`;

/** In lower case. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${GERMAN}`.split(/\s+/));
