import { describe, expect, it } from 'vitest';
import { createAgreement, differences } from './agreement.ts';

describe('differences', () => {
  it.each([
    ['numbers within the tolerance', { score: 1 }, { score: 1.0009 }],
    ['texts and nulls that are equal', ['a', null], ['a', null]],
    ['objects whose keys are in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('finds none between %s', (_, one, other) => expect(differences(one, other)).toEqual([]));

  it.each([
    ['numbers', { items: [{ score: 1 }] }, { items: [{ score: 1.0011 }] }, ['.items[0].score: 1 and 1.0011']],
    ['a number and null', [1], [null], ['[0]: 1 and null']],
    ['lists of other lengths', [1], [1, 2], [': [1] and [1,2]']],
    ['a field that one lacks', { a: 1 }, {}, ['.a: 1 and undefined']],
    ['texts', 'p.m', 'p', [': "p.m" and "p"']],
  ])('names %s that differ', (_, one, other, lines) => expect(differences(one, other)).toEqual(lines));
});

describe('createAgreement', () => {
  it('compares each browser with the first that answered the same check', () => {
    const agreement = createAgreement();
    expect(agreement.compare('one', 'words', ['a'])).toEqual([]);
    expect(agreement.compare('one', 'scores', 1)).toEqual([]);
    expect(agreement.compare('two', 'words', ['b'])).toEqual(['one and two at [0]: "a" and "b"']);
    expect(agreement.compare('three', 'words', ['a'])).toEqual([]);
  });
});
