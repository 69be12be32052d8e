import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../../../src/contract/settings.ts';
import { createStores } from '../../../src/app/create-stores.ts';
import { insideStoresOf } from '../../../src/pages/inside/live-stores.ts';
import { meaningStoresOf } from '../../../src/pages/meaning/meaning-stores.ts';
import { stateText, applyStateText } from '../../../src/app/state-section.tsx';
import { createFakeMemory, createFakePage } from '../../support/fakes/fake-memory.ts';
import { SILENT_OPTIONS } from '../../support/silent-client.ts';

const TOKEN = 'f'.repeat(64);

/** The stores of a page, whose settings refuse a time-out below a second. */
function page() {
  let settings = DEFAULT_SETTINGS;
  const listeners: ((settings: ServiceSettings) => void)[] = [];
  return createStores({
    ...SILENT_OPTIONS,
    token: () => TOKEN,
    model: 'm',
    storage: createFakeMemory(),
    models: ['m'],
    languages: ['en'],
    settings: {
      get: () => settings,
      set(change) {
        if ((change.timeoutMs ?? 1000) < 1000) throw new Error('timeoutMs: expected a number ≥ 1000, got 5');
        settings = { ...settings, ...(change as Partial<typeof settings>) };
        for (const listener of listeners) listener(settings);
        return settings;
      },
      subscribe: (listener) => (listeners.push(listener), () => undefined),
    },
    tokens: { current: () => TOKEN, replace: () => TOKEN },
    choices: { explain: ['m'], semantic_embed: [], qa: [] },
    address: { location: { hash: '' }, ...createFakePage() },
  });
}

const saved = () => JSON.parse(stateText(page())) as { parts: Record<string, Record<string, unknown>> };

/** The same file with a value at that path. */
function fileWith(path: string, value: unknown): string {
  const file = saved();
  const fields = path.split('.');
  const last = fields.pop() ?? '';
  const at = fields.reduce<Record<string, unknown>>((one, field) => one[field] as Record<string, unknown>, file);
  at[last] = value;
  return JSON.stringify(file);
}

describe('the state as a file', () => {
  it('brings everything to another page, without the token', async () => {
    const stores = page();
    stores.explain.getState().edit({ prompt: 'Où?', target: ' là' });
    stores.explain.getState().adjust({ factor: 0.5, granularity: 'token' });
    stores.api.getState().choose('embed');
    stores.api.getState().edit('{"a": 1}');
    insideStoresOf(stores.inside.getState())
      .similarity.getState()
      .edit({ texts: ['one', 'two'] });
    stores.learn.getState().change({ title: '9b', own: [{ prompt: 'a', target: ' b' }] });
    meaningStoresOf(stores.meaning.getState()).input.getState().write('a note\nanother');
    stores.theme.getState().choose('dark');
    await stores.language.getState().choose('de');
    stores.settings.getState().change({ timeoutMs: 5000 });
    const text = stateText(stores);
    expect(text).not.toContain(TOKEN);
    const other = page();
    expect(applyStateText(text, other)).toEqual([]);
    expect(stateText(other)).toBe(text);
    expect(meaningStoresOf(other.meaning.getState()).input.getState().table().texts).toEqual(['a note', 'another']);
    expect(other.explain.getState().question).toMatchObject({ prompt: 'Où?', settings: { factor: 0.5 } });
  });

  it('is undone where there were no texts, and keeps a column with the name of the texts', () => {
    const stores = page();
    const before = stateText(stores);
    const table = { texts: ['a', 'b'], columns: { text: ['1', '2'] } };
    expect(applyStateText(fileWith('parts.meaning', table), stores)).toEqual([]);
    const { input } = meaningStoresOf(stores.meaning.getState());
    expect(input.getState().table()).toEqual(table);
    expect(applyStateText(before, stores)).toEqual([]);
    expect(stateText(stores)).toBe(before);
  });

  it('never switches a remote engine on', () => {
    const stores = page();
    const engine = { address: 'https://engine.example', models: { a: 'b' }, whenHostingIsNull: true, ifAway: 'fail' };
    const text = JSON.stringify({
      kind: 'lightwell-state',
      version: 1,
      parts: { settings: { timeoutMs: 5000, engine } },
    });
    expect(applyStateText(text, stores)).toEqual([]);
    expect(stores.settings.getState().settings).toMatchObject({ timeoutMs: 5000, engine: DEFAULT_SETTINGS.engine });
    expect(stateText(stores)).not.toContain('engine');
  });

  it('leaves what a file lacks as it is', () => {
    const stores = page();
    stores.theme.getState().choose('dark');
    const text = JSON.stringify({ kind: 'lightwell-state', version: 1, parts: { language: 'system' } });
    expect(applyStateText(text, stores)).toEqual([]);
    expect(stores.theme.getState().theme).toBe('dark');
  });

  it.each([
    ['no JSON', '{', 'expected a file that begins with'],
    ['another JSON', '{"kind": "other"}', 'expected a file that begins with'],
    ['another version', fileWith('version', 2), 'version: expected 1, got 2'],
    ['no parts', fileWith('parts', 3), 'parts: expected an object'],
    ['an unknown part', fileWith('parts.mood', 1), 'parts.mood: there is no such part'],
    [
      'an unknown theme',
      fileWith('parts.theme', 'pink'),
      'theme: expected one of "system", "light", "dark", got "pink"',
    ],
    ['no language', fileWith('parts.language', null), 'language: expected one of'],
    ['no question', fileWith('parts.question', []), 'question: expected an object, got []'],
    ['a prompt that is no text', fileWith('parts.question.prompt', 3), 'question.prompt: expected a text, got 3'],
    ['an unknown field', fileWith('parts.question.more', 3), 'question.more: there is no such field'],
    ['a picture that is none', fileWith('parts.question.picture', { type: 'x' }), 'question.picture: expected a value'],
    ['no settings of the question', fileWith('parts.question.settings', 'x'), 'question.settings: expected an object'],
    [
      'a negative factor',
      fileWith('parts.question.settings.factor', -1),
      'question.settings.factor: expected a value of this field, got -1',
    ],
    ['an unknown setting', fileWith('parts.question.settings.x', 1), 'question.settings.x: there is no such field'],
    ['an unknown operation', fileWith('parts.api.operation', 'x'), 'api.operation: expected one of'],
    ['a body that is no text', fileWith('parts.api.bodies', { embed: 3 }), 'api.bodies.embed: expected a text, got 3'],
    ['an unknown pooling', fileWith('parts.inside.pooling', 'x'), 'inside.pooling: expected one of'],
    ['a text that is none', fileWith('parts.inside.texts', ['a', 3]), 'inside.texts.1: expected a text, got 3'],
    ['a set that is none', fileWith('parts.learn.set', {}), 'learn.set: expected a set of examples or null'],
    ['no list of texts', fileWith('parts.meaning.texts', 'a'), 'meaning.texts: expected a list, got "a"'],
    [
      'a column of another length',
      fileWith('parts.meaning.columns', { topic: ['a'] }),
      'meaning.columns.topic: expected 0 texts, got 1',
    ],
    ['a wrong setting', fileWith('parts.settings.timeoutMs', 5), 'settings.timeoutMs: expected a number ≥ 1000, got 5'],
  ])('refuses %s, and changes nothing', (_name, text, problem) => {
    const stores = page();
    stores.theme.getState().choose('dark');
    const before = stateText(stores);
    expect(applyStateText(text, stores)).toEqual([expect.stringContaining(problem)]);
    expect(stateText(stores)).toBe(before);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('refuses a part named %s in words', (name) => {
    const stores = page();
    const file = `{"kind":"lightwell-state","version":1,"parts":{"${name}":{}}}`;
    expect(applyStateText(file, stores)).toEqual([`parts.${name}: there is no such part`]);
  });

  it('takes no field that an object only inherits', () => {
    const file = saved();
    file.parts['inside'] = JSON.parse('{"__proto__":{"pooling":"mean"},"texts":[],"prompt":"","target":""}');
    expect(applyStateText(JSON.stringify(file), page())[0]).toMatch(/^inside\.pooling: expected one of/);
  });

  it.each([
    ['question.prompt', 'x'.repeat(3_000_000)],
    ['question.target', 'x'.repeat(100_001)],
    ['inside.prompt', 'x'.repeat(3_000_000)],
    ['api.bodies', { embed: 'x'.repeat(3_000_000) }],
  ])('refuses a long text at %s by its length, and changes nothing', (path, value) => {
    const stores = page();
    const before = stateText(stores);
    const [problem = ''] = applyStateText(fileWith(`parts.${path}`, value), stores);
    expect(problem).toMatch(/: expected at most \d+ characters, got \d+$/);
    expect(stateText(stores)).toBe(before);
  });

  it('repeats the beginning of a name, however long', () => {
    const file = JSON.stringify({ kind: 'lightwell-state', version: 1, parts: { ['x'.repeat(1_000_000)]: {} } });
    expect(applyStateText(file, page())[0]?.length).toBeLessThan(200);
  });
});
