import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { HeatMapElement } from '../../../src/figures/elements/heat-map.ts';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';

const TEXT = 'Der 🐈 sat\non the mat';
const SCORES = [
  { start: 0, length: 3, score: 0.05 },
  { start: 4, length: 1, score: 2.4 },
  { start: 6, length: 3, score: -1.25 },
];

/** What Captum writes, and its scores. */
const CAPTUM = JSON.parse(readFileSync(new URL('../../support/figures/foreign/captum.json', import.meta.url), 'utf8'));

/** As strict as a policy can be that allows scripts of the page's own. */
const POLICY = "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; base-uri 'none'";

/** A page of somebody else, which imports the element from the server of the tests. */
async function openForeign(page: Page, body: string): Promise<void> {
  const html = `<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Scores</title><body><main><h1>Scores</h1>${body}</main>`;
  await page.route('**/foreign.html', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': POLICY },
      body: `${html}<script type="module" src="/heat-map.js"></script>`,
    }),
  );
  await page.goto('/foreign.html');
}

test('the heat map draws scores of another tool', async ({ page }) => {
  await openForeign(page, '<lightwell-heat-map></lightwell-heat-map>');
  const map = page.locator('lightwell-heat-map');
  await map.evaluate(async (element, { value }) => {
    const path = '/formats.js';
    const { readScores } = await import(path);
    Object.assign(element, readScores(value));
  }, CAPTUM);
  await expect(map).toContainText('share of the largest score; below 0.1 no colour');
  await expect(map).not.toContainText('nats');
  await expect(map.locator('[part=text]')).toHaveText(CAPTUM.expected.text, { useInnerText: false });
  const sections = map.locator('[data-section]');
  await expect(sections, 'four tokens have the bytes of the cat, two those of ë').toHaveCount(22 - 3 - 1);
  await expect(map.locator('[data-section]', { hasText: 'Paris' })).toHaveAccessibleName('Paris, +0.15');
  await map.getByLabel('Influence on').selectOption('France');
  await expect(map.locator('[data-section]', { hasText: 'Paris' })).toHaveAccessibleName('Paris, −0.07');
});

test('the heat map in a page of its own, under a strict policy', async ({ page }) => {
  await openForeign(
    page,
    `<lightwell-heat-map text="${TEXT}" scores='${JSON.stringify(SCORES)}'></lightwell-heat-map>`,
  );
  const map = page.locator('lightwell-heat-map');
  const sections = map.locator('[data-section]');

  await test.step('shows text, signs and numbers', async () => {
    await expect(map.locator('[part=text]')).toHaveText(TEXT, { useInnerText: false });
    await expect(sections).toHaveCount(3);
    const signs = await sections.evaluateAll((all) => all.map((one) => one.dataset['sign']));
    expect(signs).toEqual(['neutral', 'supports', 'opposes']);
    await expect(sections.nth(1)).toHaveAccessibleName('🐈, +2.40');
    await expect(map.locator('[part=scale]')).toContainText('−5');
    const [, cat, sat] = await sections.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(cat).not.toBe(sat);
    await sections.nth(1).hover();
    const label = await sections.nth(1).evaluate((one) => {
      const { content, color } = getComputedStyle(one, '::after');
      return { content, color };
    });
    expect(label, 'light, on the dark ink').toEqual({ content: '"+2.40"', color: 'rgb(255, 254, 251)' });
    await page.mouse.move(0, 0);
  });

  await test.step('tells the page what is selected, by keyboard', async () => {
    await map.evaluate((element) => {
      element.addEventListener('lightwell-select', (event) => {
        if (event instanceof CustomEvent) document.title = JSON.stringify(event.detail);
      });
    });
    await page.keyboard.press('Tab');
    await expect(sections.first()).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await expect(sections.nth(1), 'the second line has no section').toBeFocused();
    await expect(map.locator('[part=numbers]')).toContainText('+2.40 nats');
    await page.keyboard.press('Enter');
    await expect(page).toHaveTitle('{"id":"prompt-4-1","start":4,"length":1}');
    await expect(sections.nth(1)).toHaveAttribute('aria-pressed', 'true');
    await page.keyboard.press('Escape');
    await expect(page).toHaveTitle('null');
    await map.getByText('Heat map as table').click();
    await expect(map.getByRole('row').nth(2)).toContainText('character 4');
  });

  await test.step('is accessible in every look', () => expectAccessible(page, 'a heat map in a foreign page'));

  await test.step('shows several targets, and one of them', async () => {
    await map.evaluate((element, scores) => {
      const targets = [scores, scores.map((one) => ({ ...one, score: -2 * one.score }))];
      Object.assign(element, { targets: ['yes', 'no'], scores: targets });
    }, SCORES);
    await expect(sections.nth(1)).toHaveAccessibleName('🐈, −2.40');
    await map.getByLabel('Influence on').selectOption('yes');
    await expect(sections.nth(1)).toHaveAccessibleName('🐈, +2.40');
  });

  await test.step('draws a long text in blocks, and every section of it', async () => {
    await map.evaluate((element: HeatMapElement) => {
      element.text = 'word '.repeat(2000);
      element.scores = Array.from({ length: 2000 }, (_, at) => ({ start: 5 * at, length: 4, score: at / 1000 - 1 }));
    });
    await expect(sections).toHaveCount(2000);
    await expect(map.locator('[part=text]')).toHaveText('word '.repeat(2000), { useInnerText: false });
    await page.mouse.move(0, 0); // what scrolls below the pointer would be hovered
    await sections.last().focus();
    await expect(map.locator('[part=numbers]')).toContainText('+1.00 nats');
    await page.keyboard.press('Home');
    await expect(sections.first()).toBeFocused();
  });

  await test.step('draws bars and a matrix of the same scores, linked by the page', async () => {
    await map.evaluate(
      (element, [text, scores]) => {
        for (const name of ['lightwell-bars', 'lightwell-matrix'] as const) {
          const other = document.createElement(name);
          Object.assign(other, { text, scores: [scores, scores], targets: ['yes', 'no'] });
          other.addEventListener('lightwell-hover', (event) => {
            if (event instanceof CustomEvent) Object.assign(element, { hovered: event.detail?.id ?? null });
          });
          element.after(other);
        }
        Object.assign(element, { text, scores });
      },
      [TEXT, SCORES] as const,
    );
    const bars = page.locator('lightwell-bars').locator('[data-section]');
    await expect(bars).toHaveCount(3);
    await expect(bars.first()).toHaveAccessibleName('🐈, +4.80 nats');
    await expect(bars.nth(1)).toHaveAttribute('data-sign', 'opposes');
    const matrix = page.locator('lightwell-matrix');
    await expect(matrix.getByRole('row').nth(1).getByRole('cell')).toHaveText(['+2.40', '+2.40']);
    await matrix.locator('[data-section]').first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(map.locator('[part=numbers]')).toContainText('sat');
    const chosen = await matrix.evaluateHandle((element) => ({
      event: new Promise((tell) => element.addEventListener('lightwell-select-target', tell, { once: true })),
    }));
    const head = matrix.getByRole('button', { name: 'no' });
    await head.click();
    await chosen.evaluate(({ event }) => event.then(() => undefined));
    await expect(head, 'without a view the reader chooses').toHaveAttribute('aria-pressed', 'true');
    await head.click();
    await expect(head).toHaveAttribute('aria-pressed', 'false');
    await matrix.evaluate((element) => Object.assign(element, { view: 0 }));
    await head.click();
    await expect(matrix.getByRole('button', { name: 'yes' }), 'a view is the page’s').toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(head).toHaveAttribute('aria-pressed', 'false');
    await expectAccessible(page, 'bars and a matrix in a foreign page');
  });

  await test.step('says what is wrong with scores that are none of the text’s', async () => {
    await map.evaluate((element) => element.setAttribute('scores', '[{"start":3,"length":1,"score":"high"}]'));
    await expect(map.getByRole('alert')).toHaveText('scores[0].score: expected a finite number, got "high"');
    await map.evaluate((element) => element.setAttribute('scores', 'none'));
    await expect(map.getByRole('alert')).toHaveText('scores: expected a list, got "none"');
  });
});
