import { captionOf } from '../../../../src/figures/caption.ts';
import { describe, expect, it } from 'vitest';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';
import { promptFact } from '../../../../src/figures/drawing/content.ts';
import { madeUpContent } from '../../../support/figures/source.ts';

const factsOf = (content: ReturnType<typeof madeUpContent>) =>
  Object.fromEntries(content.facts.map(({ name, text }) => [name, text]));

describe('contentOf', () => {
  it('has the headline of the page, and all that a reader must know', () => {
    const content = madeUpContent();
    expect(content).toMatchObject({ ...captionOf(content.outcome, 'whole'), partial: null });
    expect(factsOf(content)).toEqual({
      Target: '‘ a’',
      Model: expect.stringMatching(/^m 1; drawn with Lightwell \d/),
      Settings: expect.stringContaining('attention × 0.1 (dimmed), multiplicative'),
      Scores: expect.stringMatching(/^nats: .* rises .* below 0.1 there is no colour/),
    });
  });

  it('says that sections were deleted, and where they were sent, even where it is partial', () => {
    for (const isPartial of [true, false]) {
      const facts = factsOf(madeUpContent({ upstream: 'https://models.example/v1', isPartial }));
      expect(facts['Sent to']).toBe('https://models.example/v1');
      expect(facts['Settings']).toContain('each section deleted in turn');
      expect(facts['Scores']).toMatch(/rises when a section is deleted/);
      expect(JSON.stringify(facts)).not.toMatch(/dimm|attention/);
    }
  });

  it('says how the prompt was split where a server has no tokens', () => {
    const settings = { ...DEFAULT_QUESTION_SETTINGS, granularity: 'token' } as const;
    const facts = factsOf(madeUpContent({ upstream: 'https://models.example/v1', settings }));
    expect(facts['Settings']).toMatch(/^split automatically/);
  });

  it('says that a result is partial', () => {
    const content = madeUpContent({ isPartial: true });
    expect(content.lead).toMatch(/^So far: /);
    expect(content.partial).toBe('Partial result: not all sections were explained.');
    expect(factsOf(content)['Model']).toMatch(/^m; /);
  });

  it('names the word of the target that is shown', () => {
    const content = madeUpContent({ target: ' a b', tokens: [' a', ' b'], view: 1 });
    expect(factsOf(content)['Influence on']).toBe('‘ b’');
    expect(content.lead).toContain('‘b’');
  });

  it('falls back to the whole target where the view is another result’s', () => {
    expect(madeUpContent({ view: 7 }).view).toBe('whole');
  });

  it('says what scores mean above a factor of 1, and other settings', () => {
    const settings = {
      ...DEFAULT_QUESTION_SETTINGS,
      factor: 2,
      logAdditive: false,
      similarity: 0.9,
      overlap: 'complete',
    } as const;
    const facts = factsOf(madeUpContent({ settings: { ...settings, granularity: 'custom', delimiter: '\n#' } }));
    expect(facts['Scores']).toContain('falls');
    expect(facts['Settings']).toBe(
      'split at ‘↵#’; attention × 2 (strengthened), multiplicative; partly covered tokens fully; similar tokens dimmed too, from a cosine of 0.9 on',
    );
  });
});

describe('promptFact', () => {
  it('names the picture too', () => {
    const picture = { name: 'a.png', type: 'image/png', data: '' };
    expect(promptFact(madeUpContent({ picture }))).toEqual({
      name: 'Prompt',
      text: 'the picture a.png, then ‘red or blue’',
    });
  });
});
