import type { Section, Stretch, Tile } from '../explain/influence.ts';

/** Sections of a prompt by where they lie. */
export interface PromptParts {
  /** Row by row. */
  readonly picture: readonly Tile[];
  /** In the order of the text. */
  readonly prompt: readonly Stretch[];
}

/** Sorts sections of a prompt; those of the target are left out. */
export function promptPartsOf(sections: readonly Section[]): PromptParts {
  return {
    picture: sections.filter(isTile).sort((a, b) => a.rect.top - b.rect.top || a.rect.left - b.rect.left),
    prompt: sections.filter(isStretch).sort((a, b) => a.start - b.start || a.length - b.length),
  };
}

function isTile(section: Section): section is Tile {
  return section.part === 'picture';
}

function isStretch(section: Section): section is Stretch {
  return section.part === 'prompt';
}
