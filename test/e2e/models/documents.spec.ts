import { expect, type Page } from '@playwright/test';
import type { QaResponse } from '../../../src/contract/qa.ts';
import type { ErrorBody } from '../../../src/contract/prompt.ts';
import { zipOf } from '../../support/files/write-zip.ts';
import { base64, deflated, docx, docxFiles, paragraph, table } from '../../support/files/docx.ts';
import { longDocx } from '../../support/files/long-docx.ts';
import { embed, type Answer } from '../calls.ts';
import { test } from '../fixture.ts';
import { workerOf } from '../worker-jobs.ts';

/** Puts a body into the page before anything is measured: handing over a large one is the test's work, not the page's. */
async function stage(page: Page, body: object): Promise<void> {
  await page.evaluate((text) => void Reflect.set(globalThis, 'staged', text), JSON.stringify(body));
}

/** Asks what was staged. */
function ask<Body = QaResponse>(page: Page): Promise<Answer<Body>> {
  return page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const body = String(Reflect.get(globalThis, 'staged'));
    const response = await lightwell.fetch('/qa', { method: 'POST', headers, body });
    return { status: response.status, body: await response.json() };
  });
}

const qa = async (page: Page, query: string, file: string) => {
  await stage(page, { query, documents: [{ docx: file }] });
  return ask(page);
};

/**
 * Asks what was staged and aborts once the file is with the worker.
 *
 * @returns the name of the error that the request ended with
 */
function abortOnceSent(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const controller = new AbortController();
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...message: [unknown, never]) {
      Reflect.apply(post, this, message);
      if (Reflect.get(Object(message[0]), 'kind') === 'extractText') setTimeout(() => controller.abort());
    };
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const body = String(Reflect.get(globalThis, 'staged'));
    try {
      await lightwell.fetch('/qa', { method: 'POST', headers, body, signal: controller.signal });
      return 'answered';
    } catch (error) {
      return String(Reflect.get(Object(error), 'name'));
    } finally {
      Worker.prototype.postMessage = post;
    }
  });
}

test.describe('documents', () => {
  test('of many pages are answered while the page goes on', async ({ app }) => {
    const text = 'The lighthouse at Port Ellery was built by Ottilie Brandt.';
    const query = 'Who built the lighthouse at Port Ellery?';
    await stage(app, { query, documents: [{ docx: longDocx(20, { page: 13, text }) }] });
    const ticking = await app.evaluateHandle(() => {
      const seen = { turns: 0 };
      const timer = setInterval(() => seen.turns++);
      return { seen, stop: () => clearInterval(timer) };
    });
    const { status, body } = await ask(app);
    expect(status).toBe(200);
    expect(body.answers).toHaveLength(30);
    expect(body.answers.some(({ evidence }) => evidence.includes(text))).toBe(true);
    const turns = await ticking.evaluate(({ seen, stop }) => {
      stop();
      return seen.turns;
    });
    expect(turns, 'turns of a timer of the page meanwhile').toBeGreaterThan(10);
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

  test('that cannot be read are refused with the reason', async ({ app }) => {
    const whole = zipOf(docxFiles(paragraph('text')));
    const zeros = deflated('word/document.xml', new Uint8Array(32 * 2 ** 20), { bytes: 1000 });
    const files: readonly [file: string, reason: string][] = [
      [base64(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)), 'encrypted'],
      [base64(whole.subarray(0, whole.length - 50)), 'cut off'],
      [docx('', [deflated('word/media/a.bin', '', { bytes: 2 ** 30 })]), 'unpacks to 1024 MB'],
      [base64(zipOf([...docxFiles('').slice(0, 2), zeros])), 'unpacks to more than the 1000 bytes it declares'],
      [docx('', [deflated('word/vbaProject.bin', 'x')]), 'macros'],
    ];
    for (const [file, reason] of files) {
      await stage(app, { query: 'Who?', documents: [{ text: 'a' }, { docx: file }] });
      const refused = await ask<ErrorBody>(app);
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
      expect(refused.body.error).toMatch(/^documents\[1\]\.docx: expected a Docx file, got /);
      expect(refused.body.error).toContain(reason);
    }
    expect((await embed(app, 'The page still works.')).status).toBe(200);
  });

  test('are put down when the request is aborted, and so is the worker that reads them', async ({ app }) => {
    const small = docx(paragraph('Andreas likes Pizza.'));
    expect((await qa(app, 'Who likes Pizza?', small)).status).toBe(200); // worker and reader are there from now on
    const reader = workerOf(app, 'documents');
    const ended = reader.waitForEvent('close');
    // One that unpacks still hears that it is to stop, and would stay; one that is deep in a file hears nothing.
    await reader.evaluate(() =>
      addEventListener('message', () => {
        for (;;);
      }),
    );
    await stage(app, { query: 'Who?', documents: [{ docx: small }] });
    const name = await abortOnceSent(app);
    expect(name).toBe('AbortError');
    await ended;
    expect((await qa(app, 'Who likes Pizza?', small)).status).toBe(200);
  });
});
