import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '../fixture.ts';

/** Presses Enter, plain and with Ctrl, as an input method reports it while it composes a text; a field then keeps its text. */
async function endComposition(field: Locator): Promise<void> {
  await field.fill('家賃');
  await field.evaluate(async (element) => {
    for (const ctrlKey of [false, true])
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, ctrlKey, bubbles: true, cancelable: true }),
      );
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame); // what it does is drawn by then
  });
  await expect(field).toHaveValue('家賃');
}

async function goTo(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

// One page goes through it all: opening one, with its model, is what such a test costs.
test('Enter that ends a composition only ends it, on every page', async ({ freshApp: page }) => {
  await test.step('nothing is explained', async () => {
    await endComposition(page.getByTestId('prompt'));
    expect(await page.getByTestId('cancel').count()).toBe(0); // it is there while the model runs
  });

  await test.step('a question is not asked', async () => {
    await goTo(page, 'Documents');
    await page.getByRole('button', { name: 'Try an example contract' }).click();
    const answers = page.getByTestId('answers').getByRole('heading');
    await expect(answers).toHaveText('Answers to ‘Who is liable for damage?’');
    const field = page.getByLabel('Question', { exact: true });
    await endComposition(field);
    expect(await answers.textContent()).toBe('Answers to ‘Who is liable for damage?’'); // another one while it runs
    await field.press('Enter');
    await expect(answers).toHaveText('Answers to ‘家賃’');
  });

  await test.step('a category is not added', async () => {
    await goTo(page, 'Meaning');
    await page.getByRole('button', { name: 'Show the example' }).click();
    await page.getByRole('radio', { name: 'Sort' }).check({ force: true });
    const field = page.getByLabel('New category');
    await endComposition(field);
    expect(await page.getByTestId('categories').count()).toBe(0);
    await field.press('Enter');
    await expect(page.getByTestId('categories').getByRole('listitem')).toHaveCount(1);
  });

  await test.step('a setting is not saved, and no alias is added', async () => {
    await goTo(page, 'Settings');
    const kept = () => page.evaluate(() => lightwell.settings.get());
    const { operator } = await kept();
    await endComposition(page.getByLabel('Operator name'));
    expect((await kept()).operator).toBe(operator);
    await endComposition(page.getByLabel('Model alias', { exact: true }));
    expect((await kept()).modelNames).toEqual({});
  });

  await test.step('the hub is not asked', async () => {
    await goTo(page, 'Models');
    await page.getByText('Add a model').click();
    await endComposition(page.getByLabel('Model', { exact: true }));
    expect(await page.getByTestId('hub-answer').textContent()).toBe('');
  });

  await test.step('no example is run, and no request is sent', async () => {
    await goTo(page, 'API');
    await endComposition(page.getByTestId('api-body'));
    expect(await page.getByTestId('send').count()).toBe(1); // while it waits, another button is in its place
    await goTo(page, 'Inside');
    await expect(page.getByTestId('similarity-run')).toBeVisible(); // the example that it starts with has been run
    await endComposition(page.getByTestId('inside-text').first());
    expect(await page.getByTestId('similarity-cancel').count()).toBe(0);
  });
});
