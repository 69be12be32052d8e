import { captionOf, sentText } from '../../../../src/figures/caption.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../src/explanations/outcome.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../src/explanations/question.ts';
import { fieldProblems } from '../../../../src/pages/explain/question/field-problems.tsx';
import { lengthText } from '../../../../src/pages/explain/question/question-texts.ts';
import { staleText } from '../../../../src/pages/explain/outcome-view.tsx';
import { natsText, percentText, placeText, sectionName, timesText } from '../../../../src/figures/texts.ts';
import { switchLanguage } from '../../../../src/words/languages.ts';

const always = () => true;
beforeEach(() => switchLanguage('de', always));
afterEach(() => switchLanguage('en', always));

function captionIn(prompt: string, scores: readonly number[], factor = 0.1) {
  const question = { picture: null, prompt, target: ' Luigi', settings: { ...DEFAULT_QUESTION_SETTINGS, factor } };
  const spans = scores.map((score, at) => ({ start: at * 2, length: 1, score }));
  const outcome = outcomeOf(question, [{ target: ' Luigi', items: [{ type: 'text', scores: spans }] }], 'm 1', null);
  return captionOf(outcome, 'whole');
}

describe('the Explain page in German', () => {
  it('says that sections were deleted on a server, and where', () => {
    const question = { picture: null, prompt: 'a b', target: ' Luigi', settings: DEFAULT_QUESTION_SETTINGS };
    const items = [{ type: 'text' as const, scores: [{ start: 0, length: 1, score: 7.83 }] }];
    const upstream = 'https://models.example/v1';
    const outcome = outcomeOf(question, [{ target: ' Luigi', items }], 'm 1', null, { upstream });
    expect(captionOf(outcome, 'whole').detail).toMatch(/^Löscht man „a“, wird „Luigi“ etwa 2\.500-mal/);
    expect(sentText(upstream)).toMatch(/^Das hat Ihr Gerät verlassen: .* an https:\/\/models\.example\/v1 gesendet/);
  });

  it('writes numbers with a comma', () => {
    expect(natsText(-7.8349)).toBe('−7,83');
    expect(percentText(0.00035)).toBe('0,035 %');
    expect(timesText(7.83)).toBe('etwa 2.500-mal');
    expect(lengthText('x'.repeat(4000))).toBe('4.000 Zeichen, etwa 1.000 Token');
  });

  it('names sections', () => {
    const section = {
      id: 'a',
      scores: [],
      total: 0,
      part: 'prompt' as const,
      text: ' in',
      start: 2,
      length: 3,
      nth: 2,
    };
    expect(sectionName(section)).toBe('in (2.)');
    expect(placeText(section)).toBe('Zeichen 2 bis 4');
  });

  it.each([
    ['a b c', [-1, 7.83, 1], '„b“ ist der Hauptgrund für „Luigi“.'],
    ['a b', [7.83, -6], '„a“ spricht für „Luigi“, „b“ dagegen.'],
    ['a a b', [0, 5, 0], 'Das 2. „a“ ist der Hauptgrund für „Luigi“.'],
    ['a b', [3, 2.9], '„a“ und „b“ sprechen etwa gleich stark für „Luigi“.'],
  ])('says of %s with %j: %s', (prompt, scores, lead) => expect(captionIn(prompt, scores).lead).toBe(lead));

  it.each([
    [0.1, 'Dämpft man „b“, wird „Luigi“ etwa 2.500-mal unwahrscheinlicher (+7,83 Nats).'],
    [0, 'Ignoriert man „b“, wird „Luigi“ etwa 2.500-mal unwahrscheinlicher (+7,83 Nats).'],
  ])('says what a factor of %d does', (factor, detail) =>
    expect(captionIn('a b', [0, 7.83], factor).detail).toBe(detail),
  );

  it('says what has changed since', () => {
    const text = staleText({ modelVersion: 'm 1' }, ['prompt', 'settings'], 'm 1');
    expect(text).toBe('Dieses Ergebnis ist nicht mehr aktuell: der Prompt und die Einstellungen haben sich geändert.');
  });

  it('says a refusal by its field', () => {
    const problem = {
      code: 'PROMPT_TOO_LONG',
      message: 'prompt and target: expected at most 1024 tokens, got 1030',
    } as const;
    const text = 'Prompt und Ziel haben etwa 1.030 Token; dieses Modell liest bis zu 1.024.';
    expect(fieldProblems(problem)).toEqual([{ field: 'prompt', text }]);
  });
});
