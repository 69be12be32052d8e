import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';
import { dropOnHeading, fitsScreens, leavePicture, tabTo } from '../visitor.ts';
import { docxFiles, paragraph, table } from '../../support/files/docx.ts';
import { bomb } from '../../support/files/packed.ts';
import { drawn, pdfOf, rawPdf, streamOf, wrappedPdf } from '../../support/files/pdf-file.ts';
import { zipOf } from '../../support/files/write-zip.ts';

const LIABLE = 'The tenant is liable for damage to the flat and to the furniture that belongs to the landlord.';

/** Two pages: the first full of other clauses, so that an answer on the second must be scrolled to. */
const LEASE = wrappedPdf([
  'Lease',
  'This lease is made between Ada Brook (the landlord) and Noah Lind (the tenant).',
  'The lease starts on 1 May 2026.',
  ...Array.from(
    { length: 34 },
    (_, i) => `Clause ${i + 1}. The rooms are shown in a plan, which both parties have signed.`,
  ),
  `The landlord keeps the house in repair. ${LIABLE} Both parties report damage at once.`,
]);

const NOTES = zipOf(
  docxFiles(
    paragraph('Minutes of the meeting') +
      paragraph('The meeting was led by Frieda Holm. It took place in Malmö on Tuesday.') +
      table([
        ['Task', 'Person'],
        ['Budget', 'Jonas'],
      ]),
  ),
);

/** A filled-in form with a picture in JPEG 2000. */
const FORM = rawPdf({
  pages: [
    {
      content: `q 90 0 0 90 400 700 cm /I1 Do Q ${drawn({ text: 'The form of the library was signed by', y: 600 })}`,
      entries: '/Annots [5 0 R]',
      resources: '/XObject << /I1 6 0 R >>',
    },
  ],
  objects: [
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Olga Berg) /F 4 /DA (/F1 11 Tf 0 g) /Rect [260 596 400 614] >>',
    streamOf('no picture', '/Type /XObject /Subtype /Image /Width 9 /Height 9 /Filter /JPXDecode'),
  ],
  catalog: '/AcroForm << /Fields [5 0 R] >>',
});

const BOMB = rawPdf({
  pages: [{ content: bomb(900, 3), packing: '/Filter [/FlateDecode /FlateDecode /FlateDecode]' }],
});

/** Longer than the screen, so that its answer must be scrolled to. */
const PLAN = `# Plan\n\n${'## Paint\n\nThe shed is still green.\n\n'.repeat(50)}The *new* garden was planted by [Olaf](https://example.org) in April.\n`;

/** Adds files through the button, as its dialog would. */
async function choose(page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles(files);
}

const file = (name: string, content: Uint8Array | string) => ({
  name,
  mimeType: '', // of an unknown kind, as some systems say of all files
  buffer: Buffer.from(content),
});

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Question', { exact: true }).fill(question);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `Answers to ‘${question}’` })).toBeVisible();
}

/** This is marked in the document, and in sight; lines of a page have no space between them. */
async function expectMarked(page: Page, sentence: string): Promise<void> {
  const marks = page.getByTestId('document-view').locator('mark');
  const solid = (text: string) => text.replaceAll(/\s+/g, '');
  await expect(async () => expect(solid((await marks.allTextContents()).join(''))).toBe(solid(sentence))).toPass();
  await expect(marks.first()).toBeInViewport();
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('a visitor drops a contract, asks who is liable, and sees the sentence', async ({ freshApp: page }, info) => {
  const shot = (name: string) => leavePicture(page, info, name);

  await test.step('the empty page says what to do', async () => {
    await page.getByRole('link', { name: 'Documents' }).click();
    await expect(page.getByTestId('documents-empty')).toContainText('PDF, Word (.docx), Markdown or text');
    await expectAccessible(page, 'no documents', ['light', 'dark']);
    await shot('empty');
  });

  await test.step('a PDF is dropped, and the keyboard is enough to ask', async () => {
    expect(await dropOnHeading(page, 'lease.pdf', [...LEASE])).toBe(false);
    await expect(page.getByTestId('document-row')).toContainText('2 pages');
    await tabTo(page, page.getByLabel('Question', { exact: true }));
    await page.keyboard.type('Who is liable for damage to the flat?');
    await page.keyboard.press('Enter');
    const answer = page.getByTestId('answer').first();
    await expect(answer).toContainText('The tenant');
    await expect(answer).toContainText('lease.pdf, page 2');
    await expect(answer.getByTestId('evidence')).toHaveText(LIABLE);
  });

  await test.step('the sentence is marked on its page, and in sight', async () => {
    await expectMarked(page, LIABLE);
    await expect(page.getByTestId('document-view').locator('mark[data-kind="answer"]')).toHaveText(/^The tenant$/i);
    await shot('answer-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot('answer-dark');
    await expectAccessible(page, 'an answer in a PDF');
  });

  await test.step('a question that the document answers is suggested, and asked by a press', async () => {
    await page.getByRole('group', { name: 'Try:' }).getByRole('button', { name: 'When does the lease begin?' }).click();
    await expect(page.getByTestId('answer').first()).toContainText('1 May 2026');
    await expectAccessible(page, 'suggestions', ['light', 'dark']);
  });

  await test.step('the sentence answers a question for yes or no', async () => {
    await ask(page, 'Is the tenant liable for damage to the flat?');
    const answer = page.getByTestId('answer').filter({ hasText: LIABLE }).first();
    await expect(page.getByTestId('yes-no')).toContainText('The question asks for yes or no');
    await expect(answer.locator('strong')).toHaveCount(0);
    await shot('yes-no');
  });

  await test.step('an answer to another question is perhaps right, marked, and shown with its doubt', async () => {
    await ask(page, 'When does the tenant move out?');
    await expect(page.getByTestId('missing-words').first()).toContainText('does not mention ‘tenant’');
    await expect(page.getByTestId('evidence').first()).toContainText('The lease starts on 1 May 2026.');
    await expect(page.getByTestId('answer').first()).toContainText('Perhaps');
    await expect(page.getByTestId('answers')).toContainText('No answer is likely');
    await expectMarked(page, 'The lease starts on 1 May 2026.');
    await shot('perhaps');
  });

  await test.step('Word and Markdown files answer beside it, and the arrow keys go through the answers', async () => {
    await choose(page, file('minutes.docx', NOTES), file('plan.md', PLAN));
    await expect(page.getByTestId('document-row')).toHaveCount(3); // asking waits until they are read
    await ask(page, 'Who led the meeting?');
    await expect(page.getByTestId('answer').first()).toContainText('Frieda Holm');
    await expectMarked(page, 'The meeting was led by Frieda Holm.');
    await expect(page.getByRole('cell', { name: 'Jonas' })).toBeVisible();
    await ask(page, 'Who planted the garden?');
    await expect(page.getByTestId('answer').first()).toContainText('Olaf');
    await expectMarked(page, 'The new garden was planted by Olaf in April.');
    await ask(page, 'What colour is the shed?'); // two passages answer it
    await expect(page.getByTestId('answer').first()).toContainText('green');
    await page.getByTestId('answer').first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByTestId('answer').nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('answer').nth(1)).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByTestId('document-view').locator('mark').first()).toBeInViewport();
    await expectAccessible(page, 'answers in several documents', ['light', 'dark']);
  });

  await test.step('where nothing answers, that is said', async () => {
    await ask(page, 'How many moons does Jupiter have?');
    await expect(page.getByTestId('no-answer')).toContainText('Nothing found');
    await expect(page.getByTestId('answer')).toHaveCount(0);
    await expectAccessible(page, 'no answer', ['light', 'dark'], '[data-testid=answers]');
  });

  await test.step('what cannot be read says why; what was removed comes back', async () => {
    await choose(page, file('scan.pdf', pdfOf([[]])), file('old.doc', 'x'));
    await expect(page.getByText('‘scan.pdf’ holds pictures of pages but no text')).toBeVisible();
    await expect(page.getByText('‘old.doc’ is encrypted or in Word’s old .doc format')).toBeVisible();
    for (const name of ['minutes.docx', 'plan.md'])
      await page.getByRole('button', { name: `Remove ‘${name}’` }).click();
    await expect(page.getByText('‘plan.md’ was removed.')).toBeVisible();
    await expectAccessible(page, 'files that cannot be read, and one removed', ['light', 'dark']);
    for (const name of ['plan.md', 'minutes.docx']) {
      await expect(page.getByText(`‘${name}’ was removed.`)).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
    }
    await expect(page.getByTestId('document-row').nth(2)).toContainText('plan.md');
    for (const name of ['scan.pdf', 'old.doc']) await page.getByRole('button', { name: `Remove ‘${name}’` }).click();
  });

  await test.step('a form is read with its fields, and a picture that cannot be drawn is named', async () => {
    await choose(page, file('form.pdf', FORM));
    await ask(page, 'Who signed the form of the library?');
    await expect(page.getByTestId('answer').first()).toContainText('Olga Berg');
    await expectMarked(page, 'The form of the library was signed by Olga Berg');
    await expect(page.getByTestId('document-view')).toContainText('A picture on this page is not shown');
    await page.getByRole('button', { name: 'Remove ‘form.pdf’' }).click();
  });

  await test.step('a bomb is refused, and the file behind it is read', async () => {
    await choose(page, file('bomb.pdf', BOMB), file('form.pdf', FORM));
    // On a busy machine its time ends first.
    await expect(page.getByText(/‘bomb.pdf’ (unpacks to more data than is read|takes too long)/)).toBeVisible();
    await expect(page.getByTestId('document-row').last()).toContainText('1 page');
    for (const name of ['bomb.pdf', 'form.pdf']) await page.getByRole('button', { name: `Remove ‘${name}’` }).click();
  });

  await test.step('answers are saved with their sentences', async () => {
    await ask(page, 'Who is liable for damage to the flat?');
    await expect(page.getByTestId('answer').first()).toContainText('The tenant');
    await expect(page.getByTestId('ask')).toBeVisible();
    for (const [format, sentence] of [
      ['csv', LIABLE],
      ['json', LIABLE],
      ['markdown', '**The tenant** is liable for damage to the flat and to the furniture'],
      ['report', 'is liable for damage to the flat and to the furniture'],
    ] as const) {
      const saving = page.waitForEvent('download');
      await page.getByTestId(`save-${format}`).click();
      expect(await readFile(await (await saving).path(), 'utf8')).toContain(sentence);
    }
  });

  await test.step('the page is usable on a phone', async () => {
    await fitsScreens(page, 'answers');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByTestId('answer').first().click();
    await expect(page.getByTestId('document-view').locator('mark').first()).toBeInViewport();
    await shot('answer-360');
    await page.getByRole('link', { name: 'Back to the answers' }).click();
    await expect(page.getByTestId('answer').first()).toBeFocused();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('a long document shows how far it is, and can be cancelled', async () => {
    const sentence = 'The quiet street leads from the old market to the river and back again.';
    await choose(page, file('long.txt', Array.from({ length: 3_000 }, (_, i) => `${i}. ${sentence}`).join('\n\n')));
    await page.getByLabel('Question', { exact: true }).fill('Where does the street lead?');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('ask-progress')).toContainText(/\d+ of \d+ passages? read/);
    await page.getByTestId('cancel-ask').click();
    await expect(page.getByText(/^Stopped after \d+ of \d+ passages/)).toBeVisible();
    await page.getByRole('button', { name: 'Remove ‘long.txt’' }).click();
  });

  await test.step('an earlier question is asked again', async () => {
    await page.getByRole('button', { name: 'Who is liable for damage to the flat?' }).click();
    await expect(page.getByTestId('answer').first()).toContainText('The tenant');
    await expect(page.getByTestId('ask')).toBeVisible();
  });

  await test.step('an answer is explained, which can be undone there', async () => {
    await ask(page, 'Who led the meeting?');
    await page.getByTestId('explain-answer').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Explain');
    await expect(page.getByTestId('prompt')).toHaveValue(/Frieda Holm.*\nQuestion: Who led the meeting\?\nAnswer:$/s);
    await expect(page.getByTestId('target')).toHaveValue(/^ Frieda Holm/);
    await expect(page.getByTestId('caption')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByTestId('prompt')).not.toHaveValue(/Frieda/);
    await page.getByRole('link', { name: 'Documents' }).click();
    await expect(page.getByTestId('answer').first()).toContainText('Frieda Holm');
  });
});
