import type { CaptionWords, SceneObject } from '../../data/scene-set.ts';
import { mostFrequent } from '../mean.ts';

/** What is compared of an object. */
export const ATTRIBUTES = ['size', 'colour', 'shape', 'cell'] as const;

/** Which attributes are right. */
export type Hits = Readonly<Record<(typeof ATTRIBUTES)[number], boolean>>;

/** An object as a caption names it; `cell` is undefined where the caption does not say where. */
export type NamedObject = Omit<SceneObject, 'cell'> & { readonly cell: number | undefined };

/**
 * Objects that a caption names, in its order: "a small red circle", and the n-th place belongs to the n-th object.
 *
 * @source training/, `vision/scenes/texts.py`, `read_caption`
 */
export function readCaption(caption: string, words: CaptionWords): NamedObject[] {
  const object = new RegExp(
    `(${words.sizes.join('|')}) (${words.colours.join('|')}) (${words.shapes.join('|')})\\b`,
    'g',
  );
  const longestFirst = words.cells.toSorted((a, b) => b.length - a.length);
  const place = new RegExp(`\\b(${longestFirst.join('|')})\\b`, 'gi');
  const cells = [...caption.matchAll(place)].map(([name]) => words.cells.indexOf(name.toLowerCase()));
  return [...caption.matchAll(object)].map(([, size = '', colour = '', shape = ''], index) => ({
    size,
    colour,
    shape,
    cell: cells[index],
  }));
}

/** Which attributes of each object the caption gives, the n-th object named compared with the n-th in reading order. */
export function hitsOf(objects: readonly SceneObject[], named: readonly NamedObject[]): Hits[] {
  return objects.map((object, index) => {
    const said = named[index];
    const isHit = (attribute: keyof Hits) => said !== undefined && said[attribute] === object[attribute];
    return { size: isHit('size'), colour: isHit('colour'), shape: isHit('shape'), cell: isHit('cell') };
  });
}

/** The most frequent value of each attribute among these very objects: no constant answer does better. */
export function majorityOf(objects: readonly SceneObject[]): SceneObject {
  const usual = <Value>(read: (object: SceneObject) => Value) => mostFrequent(objects.map(read));
  return {
    size: usual(({ size }) => size),
    colour: usual(({ colour }) => colour),
    shape: usual(({ shape }) => shape),
    cell: usual(({ cell }) => cell),
  };
}
