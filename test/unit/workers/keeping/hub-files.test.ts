import { afterEach, describe, expect, it, vi } from 'vitest';
import { encodedPath, readRepository } from '../../../../workers/keeping/hub/hub-files.ts';

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
