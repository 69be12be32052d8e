import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCaption } from '../../../../evaluation/measures/pictures/captions.ts';
import type { SceneSet } from '../../../../evaluation/data/scene-set.ts';

const set: SceneSet = JSON.parse(
  readFileSync(new URL('../../../../evaluation/data/scenes.json', import.meta.url), 'utf8'),
);
const { words, scenes } = set;

describe('the committed scenes', () => {
  it('hold 150 pictures, PNG files of 96 by 96 pixels', () => {
    expect(scenes).toHaveLength(150);
    for (const { picture } of scenes) {
      const bytes = Buffer.from(picture, 'base64');
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([96, 96]);
    }
    expect(new Set(scenes.map(({ picture }) => picture)).size).toBe(150);
  });

  /** The rule of `vision/scenes/scenes.py` of training/: for the i-th shape the colour 3 i + 1, counted round. */
  it('show nothing but pairs that training never shows', () => {
    for (const { shape, colour } of scenes.flatMap(({ objects }) => objects)) {
      const [at, expected] = [words.shapes.indexOf(shape), words.colours.indexOf(colour)];
      expect((3 * at + 1) % words.colours.length).toBe(expected);
    }
  });

  it('can be told in captions that are read back', () => {
    for (const { objects } of scenes) {
      const parts = objects.map((each) => `a ${each.size} ${each.colour} ${each.shape} (${words.cells[each.cell]})`);
      expect(readCaption(parts.join(', '), words)).toEqual(
        objects.map(({ size, colour, shape, cell }) => ({ size, colour, shape, cell })),
      );
    }
  });

  it('ask for one object, which lies within the picture', () => {
    for (const { question, tiles } of scenes) {
      expect(question.text).toMatch(/\?$/);
      expect(question.answer).not.toBe('');
      expect(tiles.top).toBeGreaterThanOrEqual(0);
      expect(tiles.left).toBeGreaterThanOrEqual(0);
      expect(tiles.bottom).toBeGreaterThan(tiles.top);
      expect(tiles.right).toBeGreaterThan(tiles.left);
      expect(Math.max(tiles.bottom, tiles.right)).toBeLessThanOrEqual(12);
    }
  });
});
