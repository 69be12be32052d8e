import { describe, expect, it } from 'vitest';
import { asciiOnly } from '../../../../src/figures/writers/html.ts';
import { escaped } from '../../../../src/figures/writers/html-page.ts';

describe('escaped', () => {
  it('leaves no character that XML reads as its own', () => {
    expect(escaped(`<b class="x">Tom & 'Jerry'</b>`)).toBe(
      '&lt;b class=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;',
    );
  });

  it('replaces what XML cannot hold, and keeps other scripts and emoji', () => {
    expect(escaped('a\u0000b\u001Fc\uFFFEd\uD800e')).toBe('a\uFFFDb\uFFFDc\uFFFDd\uFFFDe');
    expect(escaped('مدينة 👩‍👩‍👧\t\n')).toBe('مدينة 👩‍👩‍👧\t\n');
  });
});

describe('asciiOnly', () => {
  it('writes other characters as numbers, whole ones', () => {
    expect(asciiOnly('<b>é 👧</b>')).toBe('<b>&#233; &#128103;</b>');
  });
});
