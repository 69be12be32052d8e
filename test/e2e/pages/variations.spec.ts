import { expect, type Locator, type Page } from '@playwright/test';
import type { EvaluateResponse, PredictBody, PredictResponse } from '../../../src/contract/likelihood.ts';
import type { ExplainResponse } from '../../../src/contract/explain.ts';
import { modelAnswerOf } from '../../../src/explanations/outcome.ts';
import {
  addsLogarithm,
  DEFAULT_QUESTION_SETTINGS,
  explainRequestOf,
  type Question,
} from '../../../src/explanations/question.ts';
import { hashOf } from '../../../src/pages/explain/share-link.ts';
import { nameOf, natsText, percentText } from '../../../src/figures/texts.ts';
import { expectAccessible } from '../audit.ts';
import { call, MODEL } from '../calls.ts';
import { test } from '../fixture.ts';

const QUESTION: Question = {
  picture: null,
  prompt: 'Marta was born in Warsaw. Pavel was born in Prague.\nQuestion: Where was Marta born?\nAnswer:',
  target: ' Warsaw',
  settings: { ...DEFAULT_QUESTION_SETTINGS, granularity: 'word' },
};

/** Opens a question as a link does, which explains it. */
async function explain(page: Page): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), hashOf(QUESTION, { text: true, picture: true }));
  await expect(page.getByTestId('prompt')).toHaveValue(QUESTION.prompt);
  await expect(page.getByTestId('what-if')).toBeVisible(); // the result is complete
}

/** What the service says of a request with these controls, asked apart from the page. */
async function said(page: Page, controls: object[]) {
  const prompt = [{ type: 'text', data: QUESTION.prompt, controls }] as PredictBody['prompt'];
  const more = { model: MODEL, prompt, control_log_additive: addsLogarithm(QUESTION.settings) };
  const { target } = QUESTION;
  const predicted = await call<PredictResponse>(page, '/predict', { ...more, target, maximum_tokens: 16 });
  const evaluated = await call<EvaluateResponse>(page, '/evaluate', { ...more, completion_expected: target });
  const { log_probability } = evaluated.body.result;
  expect(predicted.body.target?.log_probability).toBeCloseTo(log_probability, 5);
  const own = modelAnswerOf(predicted.body);
  const next = predicted.body.target?.tokens[0]?.alternatives ?? [];
  return {
    logProbability: log_probability,
    cells: [
      `‘${nameOf(own.text, 60)}${own.isCut ? ' …' : ''}’ (${percentText(own.probability)})`,
      percentText(Math.exp(log_probability)),
      next.map((each) => percentText(Math.exp(each.log_probability))),
    ] as const,
  };
}

/** The two columns of the table hold what the service says. */
async function expectSides(page: Page, before: object[], after: object[]): Promise<number> {
  const [from, to] = [await said(page, before), await said(page, after)];
  const nats = to.logProbability - from.logProbability;
  await expect(page.getByTestId('what-if-summary')).toContainText(`(${natsText(nats)} nats)`);
  const cells = page.getByTestId('what-if-sides').locator('td');
  for (const [column, { cells: expected }] of [from, to].entries()) {
    await expect(cells.nth(column)).toHaveText(expected[0]);
    await expect(cells.nth(column + 2)).toHaveText(expected[1]);
    await expect(cells.nth(column + 4).locator('span')).toHaveText(expected[2]);
  }
  return nats;
}

const controlsOn = async (page: Page): Promise<{ factor: number }[]> =>
  JSON.parse((await page.getByTestId('what-if-controls').textContent()) ?? '');

const scoreOf = async (section: Locator): Promise<number> => Number(await section.getAttribute('data-score'));

// One page goes through it all: opening one, with its model, is what such a test costs.
test('changed attention, another question, another target and a test show what the service says', async ({
  freshApp: app,
}) => {
  await explain(app);
  const words = app.getByTestId('what-if-prompt').locator('[part=text] [data-section]');
  const warsaw = words.filter({ hasText: 'Warsaw' });
  const slider = (name: string) => app.getByRole('slider', { name: `Attention to ‘${name}’` });

  await test.step('a word is chosen and changed by keyboard alone', async () => {
    await app.getByTestId('what-if').focus();
    await app.keyboard.press('Enter');
    await expect(app.getByTestId('what-if-summary')).toHaveText('Nothing is changed yet.');
    await words.first().focus();
    for (let step = 0; step < 4; step++) await app.keyboard.press('ArrowRight');
    await expect(warsaw).toBeFocused();
    await app.keyboard.press('Enter');
    await expect(slider('Warsaw')).toBeFocused();
    await app.keyboard.press('Home');
    await expect(slider('Warsaw')).toHaveAttribute('aria-valuetext', '× 0: ignored');
    await app.keyboard.press('Escape');
    await expect(warsaw).toBeFocused();
    await expect(app.getByTestId('factor-row')).toHaveText(/Warsaw.*× 0: ignored/);
  });

  await test.step('the numbers are those of /predict and /evaluate with the controls that the page shows', async () => {
    await app.getByText('The changes as a request').click();
    const controls = await controlsOn(app);
    const start = QUESTION.prompt.indexOf('Warsaw');
    expect(controls).toEqual([{ start, length: 6, factor: 0, token_overlap: 'partial' }]);
    expect(await expectSides(app, [], controls)).toBeLessThan(-1);
  });

  await test.step('at the factor of the result, the change is the score of the heat map', async () => {
    await slider('Warsaw').fill('4'); // the fifth stop, 0.1
    const [{ factor } = { factor: NaN }] = await controlsOn(app);
    expect(factor).toBe(QUESTION.settings.factor);
    const score = await scoreOf(warsaw);
    await expect(app.getByTestId('what-if-summary')).toContainText(`(${natsText(-score)} nats)`);
  });

  await test.step('several words change at once, a slider is dragged, and the newest value is shown', async () => {
    await words.filter({ hasText: 'Prague' }).click();
    await slider('Prague').scrollIntoViewIfNeeded();
    const box = await slider('Prague').boundingBox();
    if (!box) throw new Error('expected a slider on the page');
    await app.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await app.mouse.down();
    await app.mouse.move(box.x + box.width + 20, box.y + box.height / 2, { steps: 12 });
    await app.mouse.up();
    await expect(slider('Prague')).toHaveAttribute('aria-valuetext', '× 4: strengthened');
    const controls = await controlsOn(app);
    expect(controls.map(({ factor }) => factor)).toEqual([0.1, 4]);
    await expectSides(app, [], controls);
  });

  await test.step('a failure stands by the sliders, keeps them, and is past with the next answer', async () => {
    await app.evaluate(() => {
      const { fetch } = lightwell;
      lightwell.fetch = async () => {
        lightwell.fetch = fetch;
        return Response.json({ error: 'too many', code: 'QUEUE_FULL' }, { status: 503 });
      };
    });
    await slider('Prague').press('ArrowLeft');
    await expect(app.getByTestId('what-if-problem')).toContainText('Too many requests are waiting');
    await expect(app.getByTestId('what-if-sides').locator('td').nth(1)).toHaveText('–');
    await app.getByTestId('what-if-problem').getByRole('button', { name: 'Try again' }).click();
    await expect(app.getByTestId('what-if-problem')).toHaveCount(0);
    await expect(app.getByTestId('what-if-summary')).toBeFocused();
    const controls = await controlsOn(app);
    expect(controls.map(({ factor }) => factor)).toEqual([0.1, 3.5]);
    await expectSides(app, [], controls);
  });

  await test.step('the controls open as a request on the API page, and the changes are there afterwards', async () => {
    const controls = await controlsOn(app);
    await app.getByRole('link', { name: 'Open as a request on the API page' }).click();
    const body: PredictBody = JSON.parse(await app.getByTestId('api-body').inputValue());
    expect(body).toMatchObject({ model: MODEL, target: QUESTION.target, prompt: [{ type: 'text', controls }] });
    await app.goBack();
    await expect(app.getByTestId('factor-row')).toHaveCount(2);
    await expectAccessible(app, 'changed attention', ['light', 'dark']);
    await app.getByRole('button', { name: 'Reset ‘Prague’' }).click();
    await expect(slider('Prague')).toBeFocused();
    await app.getByRole('button', { name: 'Reset ‘Warsaw’' }).click();
    await expect(slider('Warsaw')).toBeFocused();
    await expect(app.getByTestId('what-if-summary')).toHaveText('Nothing is changed yet.');
  });

  await test.step('two prompts are compared, and each difference is A − B', async () => {
    const second = { ...QUESTION, prompt: QUESTION.prompt.replace('Prague', 'Lisbon, Portugal') };
    await app.getByTestId('compare').click();
    await expect(app.getByRole('heading', { name: 'Compare two questions' })).toBeFocused();
    await app.getByLabel('Target of B').fill(QUESTION.target.trim()); // the model expects the space, and B is the same question
    await app.getByLabel('Prompt of B').fill(second.prompt);
    await app.keyboard.press('ControlOrMeta+Enter');
    await expect(app.getByText('B is explained.')).toBeVisible();
    await expect(app.getByTestId('prompt')).toHaveValue(QUESTION.prompt); // the shortcut has asked B and nothing else

    const [ofA, ofB] = [await scoresByWord(app, QUESTION), await scoresByWord(app, second)];
    await app.getByText('Comparison as table').click();
    const rows = app.getByTestId('difference-table').locator('tbody tr');
    await expect(rows.first()).toBeVisible();
    const shown = (await rows.allInnerTexts()).map((row) => row.split('\t'));
    const expected = expectedRows(ofA, ofB);
    expect(shown.map(([, ...scores]) => scores)).toEqual(expected);
    expect(shown.filter((row) => row[2] === 'no match').map(([name]) => name)).toEqual(['Prague']);
    const map = app.getByTestId('difference').locator('[part=text]').locator('[data-section]');
    expect(await map.count()).toBe(ofA.length);
    await expectAccessible(app, 'a comparison below changed attention');
    await app.getByRole('button', { name: 'Close comparison' }).click();
    await expect(app.getByTestId('compare')).toBeFocused();
  });

  await test.step('a target is compared with another one', () => expectContrast(app));
  await test.step('the explanation is tested against the model', () => expectFaithfulness(app));
});

async function expectContrast(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Why not' }).fill('Prague');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('contrast-lead')).toContainText('rather than');
  const one = await scoresByWord(page, QUESTION);
  const other = await scoresByWord(page, { ...QUESTION, target: ' Prague' });
  const expected = one
    .map(({ score }, at) => [score, other[at]?.score ?? NaN] as const)
    .toSorted(([a, b], [c, d]) => Math.abs(c - d) - Math.abs(a - b))
    .slice(0, 10);
  const rows = page.getByTestId('contrast-table').locator('tbody tr');
  for (const [at, [target, foil]] of expected.entries())
    await expect(rows.nth(at).locator('td')).toHaveText([target, foil, target - foil].map(natsText));
  await expectAccessible(page, 'a contrast below the result');
}

async function expectFaithfulness(page: Page): Promise<void> {
  await page.getByTestId('faithfulness').click();
  await page.getByTestId('run-test').click();
  await expect(page.getByTestId('faithfulness-lead')).toContainText('nats');
  const table = page.getByTestId('faithfulness-table');
  await expect(table.locator('tbody tr')).toHaveCount(7);
  await expect(table.locator('thead th')).toHaveText([
    'Figure',
    'Explanation',
    'Random',
    'Last first',
    'Longest first',
    'Deletion',
  ]);
  await expectAccessible(page, 'a test below the result');
}

interface WordScore {
  readonly word: string;
  readonly score: number;
}

/** The words of a prompt and their scores for the whole target, asked apart from the page. */
async function scoresByWord(page: Page, question: Question): Promise<WordScore[]> {
  const { body } = await call<ExplainResponse>(page, '/explain', explainRequestOf(question, MODEL));
  const totals = new Map<number, WordScore>();
  for (const { items } of body.explanations)
    for (const item of items) {
      if (item.type !== 'text') continue;
      for (const { start, length, score } of item.scores) {
        const word = question.prompt.slice(start, start + length);
        totals.set(start, { word, score: (totals.get(start)?.score ?? 0) + score });
      }
    }
  return [...totals.values()];
}

/** Rows of A, where only ‘Prague’ has no match, then those of B that are new. */
function expectedRows(ofA: readonly WordScore[], ofB: readonly WordScore[]): string[][] {
  const added = new Set(['Lisbon', ',', 'Portugal']);
  const isNew = ({ word }: WordScore) => added.has(word.trim());
  const old = ofB.filter((one) => !isNew(one));
  const rows = ofA.map(({ word, score }) => {
    if (word.trim() === 'Prague') return [natsText(score), 'no match', '–'];
    const other = old.shift();
    expect(other?.word.trim()).toBe(word.trim());
    return [natsText(score), natsText(other?.score ?? NaN), natsText(score - (other?.score ?? NaN))];
  });
  return [...rows, ...ofB.filter(isNew).map(({ score }) => ['no match', natsText(score), '–'])];
}
