import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KEEPING_HEADERS, PAGE_HEADERS } from '../../src/protocol/page/headers.ts';
import { SITE_LIST, type SiteFile, type SiteFiles } from '../../src/protocol/page/site-files.ts';

/** The browser keeps the service worker's script itself; compressed copies are of no use after a download. */
const LEFT_OUT = new RegExp(`^(service-worker\\.js|${SITE_LIST.replace('.', '\\.')})$|\\.(br|gz)$`);

/** Writes the list of a build's files into its folder, for pages that keep them. */
export async function listSiteFiles(folder: string): Promise<void> {
  await writeFile(join(folder, SITE_LIST), JSON.stringify(siteFilesOf(folder)));
}

/** The list of the files in a folder. The same files give the same version. */
export function siteFilesOf(folder: string): SiteFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !LEFT_OUT.test(path));
  const files = Object.fromEntries(paths.toSorted().map((path) => [path, factsOf(readFileSync(join(folder, path)))]));
  const headers = sha256(JSON.stringify([PAGE_HEADERS, KEEPING_HEADERS])).slice(0, 8);
  return { version: sha256(JSON.stringify({ headers, files })), headers, files };
}

function factsOf(content: Buffer): SiteFile {
  return [content.length, sha256(content)];
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
