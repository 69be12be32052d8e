import { expect, type Page } from '@playwright/test';
import type { QaResponse } from '../../../src/contract/qa.ts';
import type { ErrorBody } from '../../../src/contract/request.ts';
import { zipOf } from '../../support/files/write-zip.ts';
import { base64, deflated, docx, docxFiles, paragraph, table } from '../../support/files/docx.ts';
import { longDocx, slowDocx } from '../../support/files/long-docx.ts';
import { embed, type Answer } from '../calls.ts';
import { test } from '../fixture.ts';
import { tasksDuring } from '../main-thread.ts';

/** As in `main-thread.spec.ts`: a longer task is felt. */
const LONG_MS = 50;

/** Puts a body into the page before anything is measured: handing over a large one is the test's work, not the page's. */
async function stage(page: Page, body: object): Promise<void> {
  await page.evaluate((text) => void Reflect.set(globalThis, 'staged', text), JSON.stringify(body));
}

/** Asks what was staged. */
function ask<Body = QaResponse>(page: Page): Promise<Answer<Body>> {
  return page.evaluate(async () => {
    const startedMs = performance.now();
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const body = String(Reflect.get(globalThis, 'staged'));
    const response = await lightwell.fetch('/qa', { method: 'POST', headers, body });
    return { status: response.status, body: await response.json(), ms: performance.now() - startedMs };
  });
}

const qa = async (page: Page, query: string, file: string) => {
  await stage(page, { query, documents: [{ docx: file }] });
  return ask(page);
};

test.describe('documents', () => {
  test('of 200 pages are answered while the page stays free', async ({ app }, info) => {
    test.setTimeout(330_000);
    const text = 'The lighthouse at Port Ellery was built by Ottilie Brandt.';
    const query = 'Who built the lighthouse at Port Ellery?';
    await stage(app, { query, documents: [{ docx: longDocx(200, { page: 137, text }) }] });
    let answered: Answer<QaResponse> | undefined;
    const tasks = await tasksDuring(app, async () => (answered = await ask(app)));
    const [longest] = tasks;
    const seconds = ((answered?.ms ?? 0) / 1000).toFixed(1);
    info.annotations.push({
      type: 'measured',
      description: `${seconds} s, longest task ${longest?.cpuMs.toFixed(1)} ms`,
    });
    expect(answered?.status).toBe(200);
    expect(answered?.body.answers).toHaveLength(30);
    expect(answered?.body.answers.some(({ evidence }) => evidence.includes(text))).toBe(true);
    expect(tasks.filter(({ cpuMs }) => cpuMs > LONG_MS)).toEqual([]);
  });

  test('with tables are read row by row', async ({ app }) => {
    const rows = [
      ['Ship', 'Home port'],
      ['Meridian', 'Oslo'],
    ];
    const { status, body } = await qa(
      app,
      'What is the home port of Meridian?',
      docx(paragraph('Ships') + table(rows)),
    );
    expect(status).toBe(200);
    expect(body.answers.map(({ evidence }) => evidence)).toEqual(['Ships\n\nShip | Home port\nMeridian | Oslo']);
  });

  test('that cannot be read are refused with the reason while the page stays free', async ({ app }) => {
    const whole = zipOf(docxFiles(paragraph('text')));
    const zeros = deflated('word/document.xml', new Uint8Array(512 * 2 ** 20), { bytes: 1000 });
    const files: readonly [file: string, reason: string][] = [
      [base64(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)), 'encrypted'],
      [base64(whole.subarray(0, whole.length - 50)), 'cut off'],
      [docx('', [deflated('word/media/a.bin', '', { bytes: 2 ** 30 })]), 'unpacks to 1024 MB'],
      [base64(zipOf([...docxFiles('').slice(0, 2), zeros])), 'unpacks to more than the 1000 bytes it declares'],
      [docx('', [deflated('word/vbaProject.bin', 'x')]), 'macros'],
    ];
    for (const [file, reason] of files) {
      await stage(app, { query: 'Who?', documents: [{ text: 'a' }, { docx: file }] });
      let refused: Answer<ErrorBody> | undefined;
      const tasks = await tasksDuring(app, async () => (refused = await ask<ErrorBody>(app)));
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
      expect(refused?.body.error).toMatch(/^documents\[1\]\.docx: expected a Docx file, got /);
      expect(refused?.body.error).toContain(reason);
      expect(
        tasks.filter(({ cpuMs }) => cpuMs > LONG_MS),
        reason,
      ).toEqual([]);
    }
    expect((await embed(app, 'The page still works.')).status).toBe(200);
  });

  test('are put down at once when the request is aborted', async ({ app }) => {
    const small = docx(paragraph('Andreas likes Pizza.'));
    expect((await qa(app, 'Who likes Pizza?', small)).status).toBe(200); // worker and reader are there from now on
    await stage(app, { query: 'Who?', documents: [{ docx: slowDocx(60_000) }] });
    const name = await app.evaluate(async () => {
      const headers = { Authorization: `Bearer ${lightwell.token}` };
      const body = String(Reflect.get(globalThis, 'staged'));
      const signal = AbortSignal.timeout(400);
      const request = lightwell.fetch('/qa', { method: 'POST', headers, body, signal });
      return request.then(
        () => 'answered',
        (error: Error) => error.name,
      );
    });
    expect(name).toBe('TimeoutError');
    const next = await qa(app, 'Who likes Pizza?', small);
    expect(next.status).toBe(200);
    expect(next.ms, 'time until the next file is answered').toBeLessThan(4000);
  });
});
