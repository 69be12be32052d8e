import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodedPath, planModel, readRepository } from '../../../../workers/downloads/hub.ts';
import { entryName, textOfEntry } from '../../../../src/protocol/download-tasks.ts';

const HUB = 'https://hub';
const ADDRESS = { hub: HUB, id: 'owner/name', revision: 'main', subfolder: '', dtype: null, token: null };
const SHA256 = 'a'.repeat(64);
const GIT = 'b'.repeat(40);

/** A hub that answers by address. */
function hubOf(answers: Readonly<Record<string, unknown>>, links: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const answer = answers[url];
    if (answer === undefined) return new Response('', { status: 404, statusText: 'Not Found' });
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return new Response(body, { headers: links[url] === undefined ? {} : { Link: `<${links[url]}>; rel="next"` } });
  });
  return asked;
}

const read = (change: Partial<typeof ADDRESS> = {}) =>
  readRepository({ ...ADDRESS, ...change }, { token: null, signal: new AbortController().signal });

const ABOUT = `${HUB}/api/models/owner/name/revision/main`;
const TREE = `${HUB}/api/models/owner/name/tree/c0ffee?recursive=true`;

describe('what a repository has', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is read at one commit: sizes, and hashes of large and of small files', async () => {
    hubOf({
      [ABOUT]: { sha: 'c0ffee', cardData: { license: 'mit' } },
      [TREE]: [
        { type: 'directory', path: 'onnx', size: 0, oid: GIT },
        { type: 'file', path: 'onnx/model.onnx', size: 500, oid: GIT, lfs: { oid: SHA256, size: 500 } },
        { type: 'file', path: 'config.json', size: 20, oid: GIT },
      ],
    });
    expect(await read()).toEqual({
      commit: 'c0ffee',
      licence: 'mit',
      files: [
        { path: 'onnx/model.onnx', bytes: 500, sha256: SHA256, gitHash: null },
        { path: 'config.json', bytes: 20, sha256: null, gitHash: GIT },
      ],
    });
  });

  it('comes in pages, as long as they are the hub’s own', async () => {
    const more = `${HUB}/api/models/owner/name/tree/c0ffee?cursor=2`;
    const file = (path: string) => ({ type: 'file', path, size: 1, oid: GIT });
    const answers = { [ABOUT]: { sha: 'c0ffee' }, [TREE]: [file('a.json')], [more]: [file('b.json')] };
    const asked = hubOf(answers, { [TREE]: more, [more]: 'https://elsewhere/api' });
    expect((await read()).files.map(({ path }) => path)).toEqual(['a.json', 'b.json']);
    expect(asked).toEqual([ABOUT, TREE, more]);
  });

  it('is refused where the list has no end: a part of it would look like all', async () => {
    const asked = hubOf({ [ABOUT]: { sha: 'c0ffee' }, [TREE]: [] }, { [TREE]: TREE });
    await expect(read()).rejects.toMatchObject({ kind: 'wrong', message: expect.stringContaining('at most 20 pages') });
    expect(asked).toHaveLength(21);
  });

  it('is that of a folder and a revision with any letters', async () => {
    const about = `${HUB}/api/models/owner/name/revision/refs%2Fpr%2F1`;
    const tree = `${HUB}/api/models/owner/name/tree/c0ffee/a%20b/c?recursive=true`;
    const asked = hubOf({ [about]: { sha: 'c0ffee' }, [tree]: [] });
    await read({ revision: 'refs/pr/1', subfolder: 'a b/c' });
    expect(asked).toEqual([about, tree]);
    expect(encodedPath('a b/ü?.json')).toBe('a%20b/%C3%BC%3F.json');
  });

  it('leaves out what is no file, leads elsewhere, or has no size; hashes of another form vouch for nothing', async () => {
    hubOf({
      [ABOUT]: { sha: 'c0ffee', tags: ['x', 'license:apache-2.0'] },
      [TREE]: [
        null,
        'config.json',
        { type: 'file', path: '../secrets.json', size: 5, oid: GIT },
        { type: 'file', path: 'a.json', oid: GIT },
        { type: 'file', path: 'b.json', size: 5, oid: 'short', lfs: { oid: 'short' } },
      ],
    });
    expect(await read()).toMatchObject({
      licence: 'apache-2.0',
      files: [{ path: 'b.json', bytes: 5, sha256: null, gitHash: null }],
    });
  });

  it.each([
    ['an HTML page', { [ABOUT]: '<html>' }, 'expected JSON of a hub, got an HTML page'],
    ['no JSON', { [ABOUT]: 'hello' }, 'expected JSON of a hub, got "hello"'],
    ['no object', { [ABOUT]: 5 }, 'expected an object, got 5'],
    ['no commit', { [ABOUT]: { id: 'x' } }, 'expected a commit in the field sha'],
    ['a commit that is an address', { [ABOUT]: { sha: '../main?' } }, 'expected a commit in the field sha'],
    ['no list', { [ABOUT]: { sha: 'c0ffee' }, [TREE]: {} }, 'expected a list of files, got {}'],
  ])('is refused where %s comes', async (_, answers, message) => {
    hubOf(answers);
    await expect(read()).rejects.toMatchObject({ kind: 'wrong', message: expect.stringContaining(message) });
  });

  it('says when it is not there', async () => {
    hubOf({});
    await expect(read()).rejects.toMatchObject({ kind: 'absent', message: `${ABOUT} answered 404 Not Found` });
  });
});

const MODEL = { hub: 'https://hub', id: 'o/m', revision: 'main', subfolder: '', dtype: null, token: null } as const;

const repository = (sizes: Readonly<Record<string, number>>) => ({
  commit: 'c0ffee',
  licence: 'mit',
  files: Object.entries(sizes).map(([path, bytes]) => ({ path, bytes, sha256: null, gitHash: null })),
});

const SMALL = { 'config.json': 1, 'tokenizer.json': 1, '1_Pooling/config.json': 1, 'README.md': 1, LICENSE: 1 };

describe('planModel', () => {
  it('fetches one weight type with its data, and the small files; nothing of other frameworks', () => {
    const found = planModel(
      MODEL,
      repository({
        ...SMALL,
        'onnx/model.onnx': 10,
        'onnx/model.onnx_data': 100,
        'onnx/model_q4.onnx': 5,
        'onnx/model_q4.onnx_data': 5,
        'model.safetensors': 100,
        'pytorch_model.bin': 100,
        'tf_model.h5': 1,
      }),
    );
    expect(found.plan.files.map(({ path }) => path)).toEqual([
      ...Object.keys(SMALL),
      'onnx/model.onnx',
      'onnx/model.onnx_data',
    ]);
    expect(found).toMatchObject({ dtype: 'fp32', bytes: 115, plan: { name: 'o/m', from: { licence: 'mit' } } });
    expect(found.choices.map(({ dtype }) => dtype)).toEqual(['fp32', 'q4']);
    expect(found.plan.files[0]?.url).toBe('https://hub/o/m/resolve/c0ffee/config.json');
  });

  it('chooses smaller weights where the exact ones are large, and names what was chosen instead', () => {
    const large = repository({ ...SMALL, 'onnx/model.onnx': 3e9, 'onnx/model_q4.onnx': 5e8 });
    expect(planModel(MODEL, large)).toMatchObject({ dtype: 'q4', plan: { name: 'o/m' } });
    expect(planModel({ ...MODEL, dtype: 'fp32' }, large).plan.name).toBe('o/m:fp32');
    expect(planModel({ ...MODEL, revision: 'v1' }, large).plan.name).toBe('o/m@v1');
  });

  it('fetches the graph that reads beside the one that writes, and no other of a network with both', () => {
    const pair = repository({
      ...SMALL,
      'onnx/encoder_model.onnx': 10,
      'onnx/decoder_model_merged.onnx': 20,
      'onnx/decoder_model.onnx': 20,
      'onnx/decoder_with_past_model.onnx': 20,
      'onnx/encoder_model_quantized.onnx': 3,
    });
    const { plan } = planModel(MODEL, pair);
    expect(plan.files.map(({ path }) => path).filter((path) => path.startsWith('onnx/'))).toEqual([
      'onnx/encoder_model.onnx',
      'onnx/decoder_model_merged.onnx',
    ]);
  });

  it('takes a folder of a repository for a model', () => {
    const inside = repository({ 'a/config.json': 1, 'a/onnx/model.onnx': 1, 'config.json': 1 });
    const { plan } = planModel({ ...MODEL, subfolder: 'a' }, inside);
    expect(plan).toMatchObject({ name: 'o/m/a', files: [{ path: 'config.json' }, { path: 'onnx/model.onnx' }] });
    expect(plan.files[1]?.url).toBe('https://hub/o/m/resolve/c0ffee/a/onnx/model.onnx');
  });

  it('says which weight types are there', () =>
    expect(() => planModel({ ...MODEL, dtype: 'q8' }, repository({ 'onnx/model.onnx': 1 }))).toThrow(
      'o/m: expected onnx/model_quantized.onnx, got fp32',
    ));
});

it.each(['o/m', '..', '.hidden', 'a b (q4)', 'ä/…'])('the entry of %s is no path, and stands for it', (text) => {
  expect(entryName(text)).not.toMatch(/[/\\]|^\./);
  expect(textOfEntry(entryName(text))).toBe(text);
});
