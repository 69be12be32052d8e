import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Sentence } from '../../../src/parts/sentence.tsx';

const link = createElement('a', { href: '#x' }, 'this');

function written(text: string, parts: Readonly<Record<string, ReactNode>>): string {
  return renderToStaticMarkup(createElement(Sentence, { text, parts }));
}

describe('Sentence', () => {
  it.each([
    ['Open {link} first.', 'Open <a href="#x">this</a> first.'],
    ['{link}', '<a href="#x">this</a>'],
    ['{link}, then {link}', '<a href="#x">this</a>, then <a href="#x">this</a>'],
    ['Nothing {to replace.', 'Nothing {to replace.'],
  ])('writes %s', (text, markup) => expect(written(text, { link })).toBe(markup));

  it('takes an element that is nothing', () => expect(written('a{gap}b', { gap: null })).toBe('ab'));

  it.each(['Open {door}.', '{toString}'])('refuses %s, which has no element', (text) => {
    expect(() => written(text, { link })).toThrow(/no element/);
  });
});
