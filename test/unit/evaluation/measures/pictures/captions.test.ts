import { describe, expect, it } from 'vitest';
import { hitsOf, majorityOf, readCaption } from '../../../../../evaluation/measures/pictures/captions.ts';

const words = {
  sizes: ['small', 'large'],
  colours: ['red', 'blue'],
  shapes: ['circle', '8'],
  cells: ['top left', 'top', 'top right', 'left', 'centre', 'right', 'bottom left', 'bottom', 'bottom right'],
};
const circle = { size: 'small', colour: 'red', shape: 'circle', cell: 0 };
const eight = { size: 'large', colour: 'blue', shape: '8', cell: 7 };

describe('readCaption', () => {
  it('reads objects with their places', () =>
    expect(readCaption('A small red circle at the top left and a large blue 8 at the bottom.', words)).toEqual([
      circle,
      eight,
    ]));
  it('reads a list that begins with places', () =>
    expect(readCaption('top left: small red circle; bottom: large blue 8.', words)).toEqual([circle, eight]));
  it('leaves out where a caption does not say it', () =>
    expect(readCaption('A small red circle.', words)).toEqual([{ ...circle, cell: undefined }]));
  it('reads nothing of other words', () => expect(readCaption('A small green circle, 88.', words)).toEqual([]));
});

describe('hitsOf', () => {
  it('compares in order; what is missing is wrong', () =>
    expect(hitsOf([circle, eight], [{ ...circle, colour: 'blue', cell: undefined }])).toEqual([
      { size: true, colour: false, shape: true, cell: false },
      { size: false, colour: false, shape: false, cell: false },
    ]));
});

describe('majorityOf', () => {
  it('takes each attribute by itself', () =>
    expect(majorityOf([circle, eight, { ...eight, colour: 'red' }])).toEqual({ ...eight, colour: 'red' }));
});
