import type { ExplainBody } from '../../../contract/explain.ts';
import type { PromptItem } from '../../../contract/prompt.ts';
import { itemsOf, type PlacedSection } from './sections.ts';

/** Below 1 the request's own factor suppresses; one that strengthens cannot. */
const SUPPRESSING = 0.1;

/** The prompt with a control on each of these sections, beside those that it has. */
export function suppressed(request: ExplainBody, sections: readonly PlacedSection[]): PromptItem[] {
  const { control_factor: asked = SUPPRESSING, control_token_overlap: overlap = 'partial' } = request;
  const factor = asked < 1 ? asked : SUPPRESSING;
  return itemsOf(request.prompt).map((prompt, item) => {
    const places = sections.filter((section) => section.item === item).map(({ place }) => place);
    if (prompt.type === 'text') {
      const own = places.flatMap((place) =>
        place.type === 'text' ? [{ start: place.start, length: place.length, factor, token_overlap: overlap }] : [],
      );
      return { ...prompt, controls: [...(prompt.controls ?? []), ...own] };
    }
    if (prompt.type === 'image') {
      const own = places.flatMap((place) =>
        place.type === 'image' ? [{ rect: place.rect, factor, token_overlap: overlap }] : [],
      );
      return { ...prompt, controls: [...(prompt.controls ?? []), ...own] };
    }
    const own = places.flatMap((place) => (place.type === 'token_ids' ? [{ index: place.index, factor }] : []));
    return { ...prompt, controls: [...(prompt.controls ?? []), ...own] };
  });
}

/** Whether sections can be deleted: nothing can be cut out of a picture, and controls would lose their places. */
export function canDelete({ prompt }: ExplainBody): boolean {
  return itemsOf(prompt).every(({ type, controls }) => type !== 'image' && !controls?.length);
}

/** The prompt without these sections, each with the white space behind it. Only where `canDelete`. */
export function deleted(request: ExplainBody, sections: readonly PlacedSection[]): PromptItem[] {
  return itemsOf(request.prompt)
    .map((prompt, item): PromptItem => {
      const places = sections.filter((section) => section.item === item).map(({ place }) => place);
      if (prompt.type === 'text') return { type: 'text', data: textWithout(prompt.data, places) };
      if (prompt.type === 'image') throw new RangeError('expected a prompt without pictures');
      const gone = new Set(places.flatMap((place) => (place.type === 'token_ids' ? [place.index] : [])));
      return { ...prompt, data: prompt.data.filter((_, index) => !gone.has(index)) };
    })
    .filter(({ data }) => data.length > 0);
}

function textWithout(text: string, places: readonly PlacedSection['place'][]): string {
  const characters = [...text];
  const isGone = new Uint8Array(characters.length);
  for (const place of places) {
    if (place.type !== 'text') continue;
    isGone.fill(1, place.start, place.start + place.length);
    for (let at = place.start + place.length; /^\s$/u.test(characters[at] ?? ''); at++) isGone[at] = 1;
  }
  const left = characters.filter((_, at) => !isGone[at]).join('');
  return isGone.at(-1) ? left.trimEnd() : left;
}
