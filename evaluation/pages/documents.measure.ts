import { expect, type Page } from '@playwright/test';
import { QaResponse } from '../../src/contract/qa.ts';
import { call } from '../../test/e2e/calls.ts';
import { test } from '../../test/e2e/fixture.ts';
import { docxFiles, paragraph } from '../../test/support/files/docx.ts';
import { wrappedPdf } from '../../test/support/files/pdf-file.ts';
import { zipOf } from '../../test/support/files/write-zip.ts';
import { type Passage, squadPassages } from './squad-passages.ts';

const PASSAGES = 50;

/** As many fill some 200 pages. */
const LONG_PASSAGES = 1_000;

/** How a passage becomes a file. */
const WRITERS = {
  pdf: (texts: readonly string[]) => wrappedPdf(texts),
  docx: (texts: readonly string[]) => zipOf(docxFiles(texts.map((text) => paragraph(text)).join(''))),
} as const;

/** Adds a file to the page, as its menu does. */
async function add(page: Page, name: string, content: Uint8Array): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^(Choose|Add) files$/ }).click();
  await (await chooser).setFiles([{ name, mimeType: '', buffer: Buffer.from(content) }]);
}

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Question', { exact: true }).fill(question);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Answers to' })).toBeVisible();
}

/** White space differs where lines of a page are joined. */
function solid(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/** What the page marks for its best answer, likely or not; null where it shows none. */
async function markedBest(page: Page) {
  if ((await page.getByTestId('answer').count()) === 0) return null;
  await page.getByTestId('answer').first().click();
  const marks = page.getByTestId('document-view').locator('mark');
  await expect(marks.first()).toBeInViewport();
  const of = async (kind: string) => solid((await marks.and(page.locator(kind)).allTextContents()).join(''));
  return { answer: await of('[data-kind="answer"]'), sentence: await of('mark') };
}

/** The answer that `/qa` returns for the passage as it is written. */
async function returnedAnswer(page: Page, { context, question }: Passage): Promise<string> {
  const { body } = await call(page, 'qa', { query: question, documents: [{ text: context }], max_answers: 1 });
  return QaResponse.parse(body).answers[0]?.answer ?? '';
}

/** The sentences of the passage that an answer stands in, by another splitter than ours. */
function sentencesWith(answer: string, context: string): string[] {
  const segments = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(context)];
  return segments.map(({ segment }) => solid(segment)).filter((sentence) => sentence.includes(answer));
}

for (const [kind, write] of Object.entries(WRITERS))
  test(`${PASSAGES} of SQuAD's passages as ${kind}`, async ({ freshApp: page }) => {
    const passages = squadPassages(PASSAGES);
    await page.evaluate(() => void (location.hash = '#/documents'));
    const counts = { shown: 0, returned: 0, inSentence: 0, sameSplit: 0, gold: 0 };
    for (const [index, passage] of passages.entries()) {
      const name = `${index}.${kind}`;
      await add(page, name, write(passage.context.split('\n')));
      await ask(page, passage.question);
      const best = await markedBest(page);
      if (best) {
        const { answer, sentence } = best;
        counts.shown++;
        if (answer === solid(await returnedAnswer(page, passage))) counts.returned++;
        else console.log(`${name}: ${passage.question} marked ${answer}`);
        if (sentence.includes(answer) && solid(passage.context).includes(sentence)) counts.inSentence++;
        if (sentencesWith(answer, passage.context).includes(sentence)) counts.sameSplit++;
        else console.log(`${name}: marked as a sentence: ${sentence}`);
        if (passage.answers.some(({ text }) => sentence.includes(solid(text)))) counts.gold++;
      } else console.log(`${name}: ${passage.question} nothing found`);
      await page.getByRole('button', { name: `Remove ‘${name}’` }).click();
    }
    console.log(`\n${kind}, ${passages.length} passages: an answer is shown for ${counts.shown}`);
    console.log(`the marked words are the answer returned ${counts.returned}`);
    console.log(`the marked sentence holds them and stands in the passage ${counts.inSentence}`);
    console.log(`it is the sentence that ICU finds ${counts.sameSplit}; it holds a gold answer ${counts.gold}`);
    expect(counts).toMatchObject({ returned: counts.shown, inSentence: counts.shown });
  });

test('a long PDF', async ({ freshApp: page }) => {
  const passages = squadPassages(LONG_PASSAGES);
  const planted = passages[Math.floor(LONG_PASSAGES * 0.7)];
  if (!planted) throw new Error('expected a passage to ask about');
  await page.evaluate(() => void (location.hash = '#/documents'));
  const seconds = stopwatch();
  await add(page, 'long.pdf', wrappedPdf(passages.map(({ context }) => context)));
  await expect(page.getByTestId('document-row')).toContainText(/\d+ pages/);
  console.log(`\n${await page.getByTestId('document-row').innerText()} read after ${seconds()}`);
  await page.getByLabel('Question', { exact: true }).fill(planted.question);
  for (const run of ['first question, with the loading of the reader', 'next question']) {
    const since = stopwatch();
    await page.getByTestId('ask').click();
    await expect(page.getByTestId('ask-progress')).toContainText('passages read');
    const begun = since();
    await expect(page.getByTestId('ask')).toBeVisible();
    console.log(`${run}: first passages after ${begun}, all after ${since()}`);
  }
  await expect(page.getByTestId('evidence').or(page.getByTestId('no-answer')).first()).toBeVisible();
  const [best = 'none that is likelier than none'] = await page.getByTestId('evidence').allTextContents();
  console.log(`asked: ${planted.question} best: ${best}`);
  await page.getByTestId('ask').click();
  await expect(page.getByTestId('ask-progress')).toContainText('passages read');
  const since = stopwatch();
  await page.getByTestId('cancel-ask').click();
  await expect(page.getByText(/^Stopped after/)).toBeVisible();
  console.log(`cancelled after ${since()}; ${await page.getByText(/^Stopped after/).innerText()}`);
});

/** Seconds since the call, as a text. */
function stopwatch(): () => string {
  const began = performance.now();
  return () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
}
