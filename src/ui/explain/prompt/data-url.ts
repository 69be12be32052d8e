import type { Picture } from '../../../state/explain/question.ts';

/** A picture as the source of an image element. */
export function dataUrl({ type, data }: Picture): string {
  return `data:${type};base64,${data}`;
}
