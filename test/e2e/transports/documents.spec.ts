import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { readMarkdown, type CodeBlock } from '../../architecture/prose/markdown.ts';
import { test } from '../fixture.ts';

const run = promisify(execFile);
const { blocks } = readMarkdown(readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8'));

/** The first block of a language defines what the others use. */
function blocksOf(language: string): { readonly first: CodeBlock; readonly others: readonly CodeBlock[] } {
  const [first, ...others] = blocks.filter((block) => block.language === language);
  if (!first || others.length === 0) throw new Error(`docs/api.md: expected two blocks of ${language} or more`);
  return { first, others };
}

/** Such as `3: await post('embed', {`: some blocks begin alike. */
const titleOf = ({ code }: CodeBlock, index: number): string => `${index + 1}: ${code.split('\n', 1).join()}`;

test.describe('commands of docs/api.md in a shell', () => {
  const { first, others } = blocksOf('sh');
  for (const [index, block] of others.entries())
    test(titleOf(block, index), async ({ linked: { page, server } }) => {
      const token = await page.evaluate(() => lightwell.token);
      const script = `${first.code}\n${block.code}`
        .replace(/^TOKEN=….*$/m, `TOKEN=${token}`)
        .replaceAll('http://localhost:5448/', server.url.replace(/\/?$/, '/'))
        .replaceAll('curl ', 'curl --fail-with-body ');
      // A status from 400 on ends curl, and with it the script; a stream says 200 and fails in its last line.
      const { stdout } = await run('bash', ['-euc', script]);
      const lines = stdout.trim().split('\n');
      expect(lines[0]).toMatch(/^[{[]/);
      expect(lines.at(-1)).not.toMatch(/^{"failure"/);
    });
});

test.describe('commands of docs/api.md in the console', () => {
  const { first, others } = blocksOf('js');
  for (const [index, block] of others.entries())
    test(titleOf(block, index), async ({ app }) => {
      const statuses = await app.evaluate(async (code) => {
        const seen: number[] = [];
        const { fetch } = lightwell;
        lightwell.fetch = async (...given) => {
          const response = await fetch(...given);
          seen.push(response.status);
          return response;
        };
        // As a console would: the page's policy forbids eval, and lets DevTools through.
        const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
        try {
          await new AsyncFunction(code)();
        } finally {
          lightwell.fetch = fetch;
        }
        return seen;
      }, `${first.code}\n${block.code}`);
      expect(statuses.length).toBeGreaterThan(0);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    });
});
