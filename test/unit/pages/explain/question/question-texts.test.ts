import { describe, expect, it } from 'vitest';
import { spokenProgress } from '../../../../../src/pages/explain/announcer.tsx';
import {
  lengthWarning,
  requestEstimate,
  shortenedPrompt,
  takesLong,
} from '../../../../../src/pages/explain/question/length-advice.tsx';
import { tokenEstimate } from '../../../../../src/explanations/token-estimate.ts';
import { lengthText, runText } from '../../../../../src/pages/explain/question/question-texts.ts';
import { DEFAULT_QUESTION_SETTINGS } from '../../../../../src/explanations/question.ts';
import { sectionsOfItems } from '../../../../../workers/kernels/text-sections.ts';
import type { EngineStatus } from '../../../../../src/stores/status-stores.ts';

describe('lengthText', () => {
  it.each([
    ['', 'empty'],
    ['🍎', '1 character, about 4 tokens'],
    ['a', '1 character, about 1 token'],
    ['3.14, 2.72', '10 characters, about 9 tokens'],
    ['abcdefgh', '8 characters, about 2 tokens'],
    ['x'.repeat(4000), '4,000 characters, about 1,000 tokens'],
  ])('of a text (%#)', (text, hint) => {
    expect(lengthText(text)).toBe(hint);
  });

  it.each([
    ['', 'a picture, 144 tokens'],
    ['abcdefgh', 'a picture and 8 characters, about 146 tokens'],
  ])('of a picture and a text (%#)', (text, hint) => {
    expect(lengthText(text, true)).toBe(hint);
  });
});

const PICTURE = { name: 'a', type: 'image/png', data: '' };

describe('requestEstimate', () => {
  const prompt = "Ann's dog barked. It rained!\n\nWho barked? (24 °C)";
  it.each([
    ['word', ' Ann', 16],
    ['word', '', 17],
    ['sentence', ' Ann', 5],
    ['paragraph', ' Ann', 3],
    ['custom', ' Ann', 3],
    ['auto', ' Ann', 16],
  ] as const)('by %s for the target “%s”: %i requests', (granularity, target, requests) => {
    const settings = { ...DEFAULT_QUESTION_SETTINGS, granularity, delimiter: '\n' };
    const found = requestEstimate({ prompt, target, settings });
    expect(found.requests).toBe(requests);
    const whole = tokenEstimate(prompt + target, false);
    expect(found.tokens, 'each prompt is shorter than the whole').toBeLessThanOrEqual(whole * requests);
    expect(found.tokens, 'and most have most of it').toBeGreaterThan((whole * requests) / 2);
  });

  it.each(['word', 'sentence', 'paragraph', 'auto'] as const)(
    'counts the sections of the service by %s',
    (granularity) => {
      const long = `${prompt} The river, once low, rose again. Nobody saw it; it was late. ${'So it went on and on. '.repeat(8)}`;
      for (const text of [prompt, 'A dog', long, `${long}\n\n${long.repeat(3)}`]) {
        const items = [{ type: 'text' as const, tokenized: { text, spans: [] } }];
        const wanted = sectionsOfItems(items, granularity === 'auto' ? null : { type: granularity }, null).length;
        const settings = { ...DEFAULT_QUESTION_SETTINGS, granularity };
        expect(requestEstimate({ prompt: text, target: ' Ann', settings }).requests - 1, text).toBe(wanted);
      }
    },
  );

  it('takes little time for a long line', () => {
    const long = { prompt: 'a '.repeat(100_000), target: '', settings: DEFAULT_QUESTION_SETTINGS };
    expect(requestEstimate(long).requests).toBe(100_002);
  });
});

describe('lengthWarning', () => {
  it.each([
    ['x'.repeat(4000), null, 1024, null],
    ['x'.repeat(4000), PICTURE, 1024, 'Prompt and target have about 1,146 tokens; this model reads up to 1,024.'],
    ['ж'.repeat(600), null, 1024, 'Prompt and target have about 1,202 tokens; this model reads up to 1,024.'],
    ['x'.repeat(9000), null, undefined, null],
  ])('of prompt and target (%#)', (prompt, picture, contextTokens, warning) => {
    expect(lengthWarning({ prompt, picture, target: ' a target' }, contextTokens)).toBe(warning);
  });
});

describe('a long prompt', () => {
  const question = {
    picture: null,
    prompt: 'One two three. '.repeat(200),
    target: '',
    settings: DEFAULT_QUESTION_SETTINGS,
  };

  it('takes long by word, and not by sentence or with estimates', () => {
    const { settings } = question;
    expect(takesLong(question)).toBe(true);
    expect(takesLong({ ...question, settings: { ...settings, granularity: 'sentence' } })).toBe(false);
    expect(takesLong({ ...question, settings: { ...settings, accuracy: 'quick' } })).toBe(false);
    expect(takesLong({ ...question, settings: { ...settings, accuracy: 'quick' } }, 'https://x.example/v1')).toBe(true);
    expect(takesLong({ ...question, settings: { ...settings, granularity: 'token' } }, 'https://x.example/v1')).toBe(
      false,
    );
    expect(takesLong({ ...question, prompt: 'short' })).toBe(false);
  });

  it('is shortenedPrompt to its end, from the beginning of a sentence on', () => {
    const prompt = `${question.prompt}\nQuestion: What is it?\nAnswer:`;
    const short = shortenedPrompt({ ...question, prompt }, 100);
    expect(short).toMatch(/^One two three\. .*\nQuestion: What is it\?\nAnswer:$/s);
    expect(lengthWarning({ ...question, prompt: short }, 100)).toBeNull();
    expect(shortenedPrompt({ ...question, prompt: 'x'.repeat(1000) }, 100)).toBe('x'.repeat(75));
  });

  it.each([
    ['sentences without spaces', '这是一个很长的句子。'.repeat(100), /^这.*。$/],
    ['characters of several tokens', '这'.repeat(1000), /^这+$/],
    ['characters of two code units', `${'🙂'.repeat(600)}a`, /^(?:🙂)+a$/u],
  ])('is shortenedPrompt so that it fits, of %s', (_, prompt, expected) => {
    const short = shortenedPrompt({ ...question, prompt }, 400);
    expect(short).toMatch(expected);
    expect(lengthWarning({ ...question, prompt: short }, 400)).toBeNull();
  });
});

const READY: EngineStatus = { kind: 'ready', report: { backend: 'wasm', threads: 2, reason: '' } };
const LOADING: EngineStatus = { kind: 'loading', progress: { phase: 'download', done: 43e6, total: 1e8 } };

const COMPILING: EngineStatus = { kind: 'loading', progress: { phase: 'compile', done: 0, total: 2 } };

describe('runText', () => {
  it.each([
    [null, READY, { text: 'Starting', share: null }],
    [null, LOADING, { text: 'Waiting for the model: reading 43 MB of 100 MB', share: 0.43 }],
    [
      { phase: 'queue', done: 0, total: 0 } as const,
      LOADING,
      { text: 'Waiting for the model: reading 43 MB of 100 MB', share: 0.43 },
    ],
    [null, COMPILING, { text: 'Waiting for the model: opening', share: null }],
    [{ phase: 'compile', done: 1, total: 2 } as const, READY, { text: 'Waiting for the model: testing', share: null }],
    [
      { phase: 'download', done: 1e6, total: 2e6 } as const,
      READY,
      { text: 'Waiting for the model: reading 1 MB of 2 MB', share: 0.5 },
    ],
    [{ phase: 'run', done: 23, total: 46 } as const, READY, { text: '23 of 46 sections', share: 0.5 }],
  ])('says how far %j is', (progress, engine, text) => {
    expect(runText(progress, engine)).toEqual(text);
  });
});

describe('spokenProgress', () => {
  it('tells quarters only', () => {
    const texts = [0, 0.1, 0.24, 0.25, 0.49, 0.5, 0.8, 1].map((share) => spokenProgress({ text: '', share }));
    expect(new Set(texts)).toEqual(
      new Set([
        'Explaining',
        '25 percent explained',
        '50 percent explained',
        '75 percent explained',
        '100 percent explained',
      ]),
    );
  });
});
