import type { Section } from '../../../state/explain/influence.ts';
import { tileName } from '../../../state/explain/tile-name.ts';
import { nameOf } from './visible-text.ts';

/** A section as a name of at most `limit` characters. */
export function sectionName(section: Section, limit = 32): string {
  return section.part === 'picture' ? tileName(section) : nameOf(section.text, limit);
}

/** The same inside a sentence: the prompt's own words in quotation marks, a place of the picture without. */
export function sectionPhrase(section: Section, limit = 32): string {
  if (section.part !== 'picture') return `‘${nameOf(section.text, limit)}’`;
  const name = tileName(section);
  return name.startsWith('row') ? `the tile in ${name}` : name;
}

/** Where a section lies: characters of its text, counted from 0, or shares of the picture's sides. */
export function placeText(section: Section): string {
  if (section.part === 'picture') {
    const { left, top, width, height } = section.rect;
    return `${percent(width)} × ${percent(height)} of the picture, ${percent(left)} from its left, ${percent(top)} from its top`;
  }
  const { part, start, length } = section;
  const place = length === 1 ? `character ${start}` : `characters ${start} to ${start + length - 1}`;
  return part === 'target' ? `earlier in the target, ${place}` : place;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
