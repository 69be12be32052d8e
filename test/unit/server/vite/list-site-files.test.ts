import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listSiteFiles, siteFilesOf } from '../../../../server/vite/build-plugins.ts';
import { isSiteFiles } from '../../../../src/protocol/page/site-files.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lightwell-list-'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['index.html', 'assets/page-1.js', 'assets/page-1.js.br', 'index.html.gz', 'service-worker.js'])
    writeFileSync(join(folder, name), name);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the list of a build', () => {
  it('has size and hash of each file that a page can use, and none of itself', async () => {
    await listSiteFiles(folder);
    await listSiteFiles(folder); // over the first
    const list: unknown = JSON.parse(readFileSync(join(folder, 'site-files.json'), 'utf8'));
    expect(isSiteFiles(list)).toBe(true);
    const hash = createHash('sha256').update('index.html').digest('hex');
    expect(list).toMatchObject({ files: { 'index.html': [10, hash] } });
    expect(Object.keys((list as { files: object }).files)).toEqual(['assets/page-1.js', 'index.html']);
  });

  it('is another version when a byte is another', () => {
    const before = siteFilesOf(folder).version;
    expect(siteFilesOf(folder).version).toBe(before);
    writeFileSync(join(folder, 'index.html'), 'Index.html');
    expect(siteFilesOf(folder).version).not.toBe(before);
  });
});
