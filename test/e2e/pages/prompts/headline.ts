import { expect } from '@playwright/test';
import type { Numbers, Scored } from './numbers.ts';

// The headline read as a reader does, and held against the numbers. Nothing of the page's own code is used.

/** Below this a score says nothing, nats. */
const NEUTRAL = 0.1;
/** Two runs of a batched network differ by less, nats. */
const ROUNDING = 2e-3;
/** Words that are taken from numbers are rounded to two digits. */
const TWO_DIGITS = 0.06;

/** A name in quotation marks, with its place among equal ones, and the part of it that is meant. */
const NAME = String.raw`(?:[Pp]art (\d+) of )?(?:[Tt]he (\d+)(?:st|nd|rd|th) )?‘(.+?)’`;
const GOAL = '‘.+?’';

/** What a sentence claims of the sections that it names, the strongest first. */
interface Form {
  readonly words: RegExp;
  readonly isTrue: (named: readonly Scored[], ranked: readonly Scored[]) => boolean;
}

const opposite = (to: Scored | undefined, ranked: readonly Scored[]) =>
  ranked.find(({ total }) => total > 0 !== (to?.total ?? 0) > 0);
const size = (section: Scored | undefined) => Math.abs(section?.total ?? 0);
const isTop = (section: Scored | undefined, ranked: readonly Scored[]) => size(section) >= size(ranked[0]) - ROUNDING;
const isTie = ([first, second]: readonly Scored[]) => size(second) >= 0.9 * size(first) - ROUNDING;

/** The other sign counts from a quarter of the largest effect on. */
const hasNoRival = (ranked: readonly Scored[]) =>
  size(opposite(ranked[0], ranked)) < Math.max(NEUTRAL, 0.25 * size(ranked[0])) + ROUNDING;

const pulls =
  (sign: 1 | -1) =>
  ([first, second]: readonly Scored[], ranked: readonly Scored[]) =>
    isTop(first, ranked) &&
    (first?.total ?? 0) * sign > 0 &&
    size(second) >= size(opposite(first, ranked)) - ROUNDING &&
    (second?.total ?? 0) * sign < 0;
const alike = (sign: 1 | -1) => (named: readonly Scored[], ranked: readonly Scored[]) =>
  named.length === 2 && named.every(({ total }) => total * sign > 0) && isTop(named[0], ranked) && isTie(ranked);
const alone =
  (sign: 1 | -1) =>
  ([first]: readonly Scored[], ranked: readonly Scored[]) =>
    isTop(first, ranked) && (first?.total ?? 0) * sign > 0 && hasNoRival(ranked);

const FORMS: readonly Form[] = [
  { words: /No single part of the prompt matters much/, isTrue: (_, [top]) => size(top) < NEUTRAL + ROUNDING },
  { words: new RegExp(`${NAME} and ${NAME} support ${GOAL} about equally`), isTrue: alike(1) },
  { words: new RegExp(`${NAME} and ${NAME} speak against ${GOAL} about equally`), isTrue: alike(-1) },
  { words: new RegExp(`${NAME} pulls towards ${GOAL}, ${NAME} pulls away\\.`), isTrue: pulls(1) },
  { words: new RegExp(`${NAME} pulls away from ${GOAL}, ${NAME} pulls towards it`), isTrue: pulls(-1) },
  { words: new RegExp(`${NAME} is the main reason for`), isTrue: alone(1) },
  {
    words: new RegExp(`${GOAL} comes from (?:line \\d+: )?‘`),
    isTrue: (_, ranked) => (ranked[0]?.total ?? 0) > 0 && hasNoRival(ranked),
  },
  {
    words: new RegExp(`${NAME} speaks most against ${GOAL}; no part of the prompt supports it much`),
    isTrue: alone(-1),
  },
];

/** Checks what the finding says of the sections. */
export function expectTrueFinding(words: string, { sections }: Numbers): void {
  const said = plain(words);
  const form = FORMS.find((each) => each.words.test(said));
  expect(form, `a known form: ${said}`).toBeDefined();
  const groups = form?.words.exec(said)?.slice(1) ?? [];
  const named: Scored[] = [];
  for (let at = 0; at + 2 < groups.length; at += 3) named.push(sectionNamed(groups.slice(at, at + 3), sections));
  const ranked = [...sections].sort((a, b) => size(b) - size(a));
  expect(
    form?.isTrue(named, ranked),
    `${said}\n${ranked
      .slice(0, 5)
      .map(({ text, total }) => `${text} ${total}`)
      .join('\n')}`,
  ).toBe(true);
}

/** Checks the sentence about the largest effect: its number, its factor, its direction. */
export function expectTrueEffect(words: string, { sections }: Numbers, factor: number): void {
  const said = plain(words);
  const effect = new RegExp(
    `(Dimming|Ignoring|Strengthening) ${NAME} (?:makes ${GOAL} (.+?) (less|more) likely|hardly changes how likely ${GOAL} is) \\(([+−]?[\\d.]+) nats\\)`,
  ).exec(said);
  expect(effect, said).not.toBeNull();
  const [, verb, part, nth, name, times, direction, nats = ''] = effect ?? [];
  const { total } = sectionNamed([part, nth, name], sections);
  expect(size({ total } as Scored)).toBeGreaterThan(Math.max(...sections.map(size)) - ROUNDING);
  expect(verb).toBe(factor > 1 ? 'Strengthening' : factor === 0 ? 'Ignoring' : 'Dimming');
  expect(Math.abs(Number(nats.replace('−', '-')) - total)).toBeLessThan(0.005 + ROUNDING);
  if (times === undefined) expect(Math.exp(Math.abs(total))).toBeLessThan(1.2 + ROUNDING);
  else expectTimes(times, Math.exp(Math.abs(total)));
  if (direction) expect(direction).toBe(total > 0 === factor < 1 ? 'less' : 'more');
}

function expectTimes(words: string, times: number): void {
  if (words.startsWith('more than a million')) expect(times).toBeGreaterThan(1e6 * (1 - TWO_DIGITS));
  else expect(Number(words.replaceAll(/[^\d.]/g, '')) / times, words).toBeCloseTo(1, 1);
}

/** Checks a probability in words. */
export function expectProbability(words: string, probability: number): void {
  if (words.startsWith('less than')) expect(probability).toBeLessThan(1e-6);
  else if (words.startsWith('over')) expect(probability).toBeGreaterThan(0.994);
  else
    expect(Math.abs(Number.parseFloat(words) / 100 / probability - 1), `${words} for ${probability}`).toBeLessThan(
      TWO_DIGITS,
    );
}

/** The one section that a name means. */
function sectionNamed([part, nth, name = '']: readonly (string | undefined)[], sections: readonly Scored[]): Scored {
  const inOneLine = (text: string) =>
    text.trim().replaceAll(/\s+/g, ' ') || text.replaceAll('\n', '↵').replaceAll(' ', '␣');
  const isMeant = (text: string) => (name.endsWith('…') ? text.startsWith(name.slice(0, -1)) : text === name);
  const meant = sections.filter(({ text }) => isMeant(inOneLine(text)));
  const places = [...new Set(meant.map(({ place }) => place))];
  if (nth === undefined) expect(places, `places of ${name}`).toHaveLength(1);
  const parts = meant.filter(({ place }) => place === places[Number(nth ?? 1) - 1]);
  if (part === undefined) expect(parts, `parts of ${name}`).toHaveLength(1);
  const section = parts[Number(part ?? 1) - 1];
  if (!section)
    throw new RangeError(`expected part ${part} of the ${nth}th ${name}, got ${parts.length} of ${places.length}`);
  return section;
}

/** Without the marks that set a direction apart. */
export function plain(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, '');
}
