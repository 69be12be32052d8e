import { graphemesOf } from '../../state/explain/text/graphemes.ts';
import type { Section } from '../../state/explain/influence.ts';
import { tileName } from '../../state/explain/influence.ts';
import { WEAK_NATS } from '../../state/explain/scores/weak.ts';
import { isolated } from './scripts.ts';

// The words of the explain page for what it shows: scores in nats, sections of prompt and picture, control factors.

/** A score with its sign, two decimals and a true minus, such as `+7.83`. */
export function natsText(score: number): string {
  const digits = Math.abs(score).toFixed(2);
  if (Number(digits) === 0) return '0.00';
  return (score > 0 ? '+' : '−') + digits;
}

/** So many sections whose scores are next to zero, in one line. */
export function weakText(count: number): string {
  return `${count} more within ${WEAK_NATS}`;
}

/**
 * How many times less likely the target becomes when its cross entropy rises by `nats`, as "about 2,500 times"; null
 * where the word would say more than the number does (below 1.2 times).
 */
export function timesText(nats: number): string | null {
  const times = Math.exp(Math.abs(nats));
  if (times < 1.2) return null;
  if (times > 1e6) return 'more than a million times';
  if (times < 10) return `about ${times.toFixed(1)} times`;
  return `about ${Number(times.toPrecision(2)).toLocaleString('en')} times`;
}

/**
 * A probability as a share of a hundred: whole numbers from ten on, two digits below, such as `0.035 %`; what is next to
 * nothing or next to certain is said so.
 */
export function percentText(probability: number): string {
  const share = probability * 100;
  if (share < 0.0001) return 'less than 0.0001 %';
  if (share > 99.5) return 'over 99 %';
  return `${share >= 10 ? Math.round(share) : Number(share.toPrecision(2))} %`;
}

/** A short text with its white space made visible: `␣` for outer spaces, `↵` for line ends. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length));
}

/** A section's text as a name inside a sentence: without outer white space, cut after `limit` characters. */
export function nameOf(text: string, limit = 32): string {
  const name = text.trim().replaceAll(/\s+/g, ' ');
  if (name === '') return visibleText(text);
  const characters = graphemesOf(name);
  return isolated(characters.length <= limit ? name : `${characters.slice(0, limit - 1).join('')}…`);
}

/** A section as a name of about `limit` characters; words that stand there several times carry their number. */
export function sectionName(section: Section, limit = 32): string {
  if (section.part === 'picture') return tileName(section);
  const { text, nth, piece } = section;
  const name = nameOf(text, limit) + (nth === null ? '' : ` (${ordinal(nth)})`);
  return piece === undefined ? name : `${name}, part ${piece}`;
}

/** The same inside a sentence: the prompt's own words in quotation marks, a place of the picture without. */
export function sectionPhrase(section: Section, limit = 32): string {
  if (section.part !== 'picture') {
    const { text, nth, piece } = section;
    const words = `${nth === null ? '' : `the ${ordinal(nth)} `}‘${nameOf(text, limit)}’`;
    return piece === undefined ? words : `part ${piece} of ${words}`;
  }
  const name = tileName(section);
  return name.startsWith('row') ? `the tile in ${name}` : name;
}

/** Such as `2nd`. */
function ordinal(nth: number): string {
  const endings = nth % 100 > 10 && nth % 100 < 14 ? [] : ['th', 'st', 'nd', 'rd'];
  return `${nth}${endings[nth % 10] ?? 'th'}`;
}

/** Where a section lies: characters of its text, counted from 0, or shares of the picture's sides. */
export function placeText(section: Section): string {
  if (section.part === 'picture') {
    const { left, top, width, height } = section.rect;
    return `${percent(width)} × ${percent(height)} of the picture, ${percent(left)} from its left, ${percent(top)} from its top`;
  }
  const { part, start, length } = section;
  const place = length === 1 ? `character ${start}` : `characters ${start} to ${start + length - 1}`;
  return part === 'target' ? `in the target, ${place}` : place;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}

/** Stops of the factor slider; fine where attention almost vanishes, coarse above 1. */
export const FACTORS: readonly number[] = [
  0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2,
];

/** What a control factor does to a section. */
export function factorText(factor: number): string {
  if (factor === 0) return 'ignored';
  if (factor < 1) return 'dimmed';
  return factor === 1 ? 'unchanged' : 'strengthened';
}

/** The start of a sentence about a section, such as `Dimming ‘apple’`. */
export function factorPhrase(section: string, factor: number): string {
  if (factor === 0) return `Ignoring ${section}`;
  return factor < 1 ? `Dimming ${section}` : `Strengthening ${section}`;
}
