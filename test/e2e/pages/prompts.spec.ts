import { expect, type Page } from '@playwright/test';
import { hashOf } from '../../../src/pages/explain/share-link.ts';
import { test } from '../fixture.ts';
import { expectProbability, expectTrueEffect, expectTrueFinding, plain } from './prompts/headline.ts';
import { hearExplanations, type Numbers, numbersOf, questionOf } from './prompts/numbers.ts';
import { type AskedPrompt, QUESTIONS } from './prompts/questions.ts';
import { type DrawnSection, type Shown, shownOn } from './prompts/shown.ts';
import { leavePicture } from '../visitor.ts';

/** Scores below this have no colour, nats. */
const NEUTRAL = 0.1;
/** Two runs of a batched network differ by less, nats. */
const ROUNDING = 2e-3;

// One page goes through them all: opening one, with its model, is what such a test costs.
test('twenty prompts: headline, own answer, labels and colours follow from the numbers', async ({
  freshApp: app,
}, info) => {
  await app.emulateMedia({ reducedMotion: 'reduce' }); // colours are read when they are there
  const heard = await hearExplanations(app);
  for (const [index, asked] of QUESTIONS.entries())
    await test.step(asked.name, async () => {
      await ask(app, asked);
      const shown = await shownOn(app);
      await leavePicture(app, info, `${String(index + 1).padStart(2, '0')} ${asked.name}`);
      const numbers = await numbersOf(app, asked, heard);
      expectHeadline(shown, numbers, asked);
      expectOwnAnswer(shown, numbers);
      expectHeatMap(shown, numbers, asked);
      expectLabels(shown, asked);
      expectBars(shown, numbers);
    });
});

/** Asks as a link does, and waits for the end. */
async function ask(page: Page, asked: AskedPrompt): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), hashOf(questionOf(asked), { text: true, picture: true }));
  await expect(page.getByTestId('prompt')).toHaveValue(asked.prompt);
  await expect(page.locator('[part=text]')).toHaveText(asked.prompt, { useInnerText: false });
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeVisible(); // it has ended
  await expect(page.getByTestId('matrix')).toBeVisible();
  await expect(
    page
      .getByTestId('bars')
      .or(page.getByText(/more within 0.01/).first())
      .first(),
  ).toBeVisible();
}

function expectHeadline({ lead, detail, matrixHead }: Shown, numbers: Numbers, { settings }: AskedPrompt): void {
  const isDoubted = lead.startsWith('The model does not expect');
  const isImprobable = numbers.logProbability < Math.log(0.01) && !numbers.isGreedy;
  if (isDoubted) expect(isImprobable, lead).toBe(true);
  // A target of several probable words is improbable as a whole, and yet what the model may say.
  else if (matrixHead.length === 1) expect(isImprobable, lead).toBe(false);
  expectTrueFinding(isDoubted ? detail.replace(/^.*? instead\. /s, '') : lead, numbers);
  expectTrueEffect(detail, numbers, settings?.factor ?? 0.1);
}

function expectOwnAnswer({ ownAnswer }: Shown, { predicted, logProbability, isGreedy }: Numbers): void {
  const said = plain(ownAnswer);
  const line = /^\s*[^\n]*/.exec(predicted.continuation.text)?.[0].trim() ?? '';
  const words = /itself says ‘(.*?)(?: …)?’ \((.+?)\)\./.exec(said);
  if (predicted.continuation.text.includes('\uFFFD')) expect(said).toContain('bytes that make up no readable text');
  else if (line === '') expect(said).toContain('The model itself ends the text here');
  else
    expect(line.replaceAll(/\s+/g, ' ').startsWith(words?.[1]?.replace('…', '') ?? '?'), `${said}: ${line}`).toBe(true);
  expect(said.includes('The target is its own choice')).toBe(isGreedy);
  const rated = /(?:own choice \(|probability of )((?:less than |over )?[\d.]+)/.exec(said)?.[1] ?? '';
  expectProbability(rated, Math.exp(logProbability));
}

function expectHeatMap(shown: Shown, { sections }: Numbers, { prompt, isRightToLeft }: AskedPrompt): void {
  expect(shown.heatText).toBe(prompt);
  expect(shown.foreignElements, 'elements made of the prompt').toBe(0);
  expect(shown.sections).toHaveLength(sections.length);
  const largest = Math.max(...sections.map(({ total }) => Math.abs(total)));
  for (const { start, length, text, total } of sections) {
    const drawn = shown.sections.find((one) => one.start === start && one.length === length);
    if (!drawn) throw new RangeError(`expected ‘${text}’ in the heat map, got nothing at ${start}`);
    expect(Math.abs(drawn.score - total), text).toBeLessThan(ROUNDING);
    expectColour(drawn, total, { ground: shown.ground, largest, text });
  }
  const [first, second] = shown.sections;
  if (isRightToLeft && first && second) expect([first.left > second.left, first.top]).toEqual([true, second.top]);
}

/** Amber supports, blue opposes, and what is small has the colour of the ground. */
function expectColour({ colour }: DrawnSection, total: number, { ground, largest, text }: Scale): void {
  const warmth = colour[0] - colour[2] - (ground[0] - ground[2]);
  const size = Math.abs(total);
  if (size < NEUTRAL - ROUNDING) expect(colour, text).toEqual(ground);
  // A tenth of the largest is the least that surely differs from the ground by a step of 255.
  else if (size > largest / 10 && size > NEUTRAL + ROUNDING)
    expect(Math.sign(warmth), `‘${text}’ ${total}`).toBe(Math.sign(total));
}

/** What a colour is compared with. */
interface Scale {
  readonly ground: DrawnSection['colour'];
  /** Largest absolute score, nats. */
  readonly largest: number;
  readonly text: string;
}

/** The target in whole characters and whole words, and no part of a character anywhere. */
function expectLabels({ targetWords, matrixHead, text }: Shown, { target, prompt }: AskedPrompt): void {
  expect(text).not.toContain('\uFFFD');
  expect(matrixHead.join('').replaceAll('␣', ' ')).toBe(target);
  const shownAs = (word: string) => word.replaceAll('␣', ' ').trim() || word;
  if (targetWords.length > 0) expect(targetWords).toEqual(matrixHead.map(shownAs));
  const characters = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(target)].map(
    ({ index }) => index,
  );
  let at = 0;
  for (const word of matrixHead) {
    expect(characters, `‘${word}’ begins with a whole character`).toContain(at);
    at += word.length;
  }
  expect(prompt).not.toBe('');
}

function expectBars({ bars, matrixSums, text }: Shown, { sections }: Numbers): void {
  const byId = new Map(sections.map((section) => [`prompt-${section.start}-${section.length}`, section.total]));
  const scores = bars.map(([id, label]) => {
    const total = byId.get(id) ?? NaN;
    const said = Number(/, ([+−]?[\d.]+) nats$/.exec(label)?.[1]?.replace('−', '-'));
    expect(Math.abs(said - total), label).toBeLessThan(0.005 + ROUNDING);
    return Math.abs(total);
  });
  for (const [at, score] of scores.entries())
    expect(score).toBeLessThanOrEqual((scores[at - 1] ?? Infinity) + ROUNDING);
  const folded = Number(/(\d+) more within 0\.01/.exec(text)?.[1] ?? 0);
  const weak = (limit: number) => sections.filter(({ total }) => Math.abs(total) <= limit).length;
  if (folded > 0) expect([weak(0.01 - ROUNDING) <= folded, folded <= weak(0.01 + ROUNDING)]).toEqual([true, true]);
  else expect(weak(0.01 - ROUNDING)).toBeLessThan(2);
  for (const [id, sum] of matrixSums) expect(Math.abs(sum - (byId.get(id) ?? NaN)), id).toBeLessThan(ROUNDING);
}
