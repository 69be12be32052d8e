import { describe, expect, it } from 'vitest';
import { DEFAULT_QUESTION_SETTINGS, type Question } from '../../../../src/explanations/question.ts';
import { hashOf, questionIn, takeSharedQuestion } from '../../../../src/pages/explain/share-link.ts';

const QUESTION: Question = {
  picture: { name: 'Où?.png', type: 'image/png', data: 'aGVsbG8=' },
  prompt: 'Où? 🍎\n###',
  target: ' ici',
  settings: { ...DEFAULT_QUESTION_SETTINGS, factor: 0.5 },
};

const ALL = { text: true, picture: true };
const HASH = hashOf(QUESTION, ALL);

function page(hash: string) {
  const replaced: unknown[] = [];
  const location = { hash, pathname: '/app/', search: '?backend=wasm' } as Location;
  const history = { replaceState: (_: unknown, __: string, url: unknown) => replaced.push(url) } as unknown as History;
  return { replaced, window: { location, history } };
}

describe('share link', () => {
  it('holds any text, safe in an address', () => {
    expect(HASH).toMatch(/^#question=[\w-]+$/);
    expect(questionIn(HASH)).toEqual(QUESTION);
  });

  it('holds the settings alone unless the sender agrees to more', () => {
    const { settings } = QUESTION;
    const shared = (text: boolean, picture: boolean) => questionIn(hashOf(QUESTION, { text, picture }));
    expect(shared(false, false)).toEqual({ settings });
    expect(shared(false, true)).toEqual({ settings });
    expect(shared(true, false)).toEqual({ ...QUESTION, picture: null });
  });

  it('takes texts as long as a field does, and no longer ones', () => {
    const prompt = 'x'.repeat(50_000);
    expect(questionIn(hashOf({ ...QUESTION, prompt }, ALL))).toEqual({ ...QUESTION, prompt });
    expect(questionIn(hashOf({ ...QUESTION, prompt: `${prompt}x` }, ALL))).toBeNull();
    expect(questionIn(hashOf({ ...QUESTION, target: 'x'.repeat(750_000) }, ALL))).toBeNull();
    const { window } = page(hashOf({ ...QUESTION, prompt: 'x'.repeat(1_500_000) }, ALL));
    expect(takeSharedQuestion(window)).toBe('unreadable');
  });

  it.each(['', '#', '#other', '#question=', '#question=%%', '#question=bm8'])('answers null for %j', (hash) => {
    expect(questionIn(hash)).toBeNull();
  });

  it('is taken out of the address once it is read', () => {
    const { window, replaced } = page(HASH);
    expect(takeSharedQuestion(window)).toEqual(QUESTION);
    expect(replaced).toEqual(['/app/?backend=wasm']);
  });

  it('is taken again when the address of an open page becomes one', () => {
    const { window, replaced } = page('#/models');
    expect(takeSharedQuestion(window)).toBeNull();
    window.location.hash = HASH;
    expect(takeSharedQuestion(window)).toEqual(QUESTION);
    expect(replaced).toHaveLength(1);
  });

  it.each(['#question=', '#question=bm8', HASH.slice(0, -9)])(
    'says that %j cannot be read, and takes it out of the address',
    (hash) => {
      const { window, replaced } = page(hash);
      expect(takeSharedQuestion(window)).toBe('unreadable');
      expect(replaced).toHaveLength(1);
    },
  );

  it('leaves other hashes alone', () => {
    const { window, replaced } = page('#help');
    expect(takeSharedQuestion(window)).toBeNull();
    expect(replaced).toEqual([]);
  });
});
