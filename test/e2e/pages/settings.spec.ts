import { expect } from '@playwright/test';
import { call, embed, MODEL } from '../calls.ts';
import { open, test } from '../fixture.ts';
import { tabTo } from '../visitor.ts';

test.describe('the settings page', () => {
  test('is reached by its address and by the navigation, and the keyboard is enough', async ({ app }) => {
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Explain');
    await app.getByRole('link', { name: 'Settings' }).focus();
    await app.keyboard.press('Enter');
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Settings');
    await expect(app).toHaveTitle(/^Settings/);
    await expect(app.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page');
    await app.getByLabel('Theme', { exact: true }).selectOption('Dark');
    await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark');
    await app.getByLabel('Theme', { exact: true }).selectOption('As on the device');
    await app.goBack();
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Explain');
  });

  test('says what is wrong with a value, and keeps the old one', async ({ app }) => {
    await app.getByRole('link', { name: 'Settings' }).click();
    const timeout = app.getByLabel('Time-out in seconds');
    await timeout.fill('0.5');
    await timeout.blur();
    await expect(app.getByText('Time-out: at least 1 second.')).toBeVisible();
    await expect(timeout).toHaveAttribute('aria-invalid', 'true');
    await timeout.press('Escape');
    await expect(timeout).toHaveValue('300');
    expect(await app.evaluate(() => lightwell.settings.get().timeoutMs)).toBe(300_000);
  });
});

// One page goes through what others would mind: opening one, with its model, is what such a test costs.
test('settings change what is answered, by script and by hand, and stay after a reload', async ({
  freshApp: app,
  backend,
}) => {
  await test.step('scripts change them, and are told which field is wrong', async () => {
    const settings = await app.evaluate(() => lightwell.settings.set({ maxWaiting: 2 }));
    expect(settings).toMatchObject({ maxWaiting: 2, operator: 'lightwell' });
    const refused = await app.evaluate(() => {
      try {
        lightwell.settings.set({ timeoutMs: -1 });
      } catch (error) {
        return String(error);
      }
      return 'accepted';
    });
    expect(refused).toContain('timeoutMs: expected a number ≥ 1000, got -1');
  });

  const foreign = { model: 'luminous-base' };

  await test.step('they hold from the next request on', async () => {
    expect((await embed(app, 'a', foreign)).status).toBe(404);
    await app.getByRole('link', { name: 'Settings' }).click();
    await tabTo(app, app.getByLabel('Operator name')); // by the keyboard alone
    await app.keyboard.press('ControlOrMeta+A');
    await app.keyboard.insertText('acme');
    await app.keyboard.press('Enter');
    await tabTo(app, app.getByLabel('Model alias'));
    await app.keyboard.insertText('luminous-base');
    await app.keyboard.press('Enter');
    await expect(app.getByText('luminous-base →')).toBeVisible();
    await expectForeignName();
  });

  await test.step('one click adds the hosted service’s names, each for the models that can do what it is asked', async () => {
    await app.getByRole('button', { name: 'Add the hosted service’s names' }).click();
    await expect(app.getByText('luminous-supreme-control →')).toContainText('qa: lightwell-reader');
    await expect(app.getByRole('button', { name: 'Add the hosted service’s names' })).toHaveCount(0);
    const { modelNames } = await app.evaluate(() => lightwell.settings.get());
    expect(modelNames['luminous-base']).toBe(MODEL); // what was there stays
    expect(modelNames['luminous-extended']).toMatchObject({ explain: MODEL, qa: 'lightwell-reader' });
    await app.evaluate((name) => void lightwell.settings.set({ modelNames: { 'luminous-base': name } }), MODEL);
  });

  await test.step('a number of threads that is chosen holds for the model at once, and it says so', async () => {
    const threads = app.getByLabel('Threads of WebAssembly');
    await threads.selectOption('1');
    await expect(app.getByText(`${MODEL} runs on wasm: `)).toContainText('1 as set');
    expect((await app.evaluate((model) => lightwell.deviceOf(model), MODEL)).threads).toBe(1);
    await threads.selectOption('Automatic');
    await expect(app.getByText(`${MODEL} runs on wasm: `)).toContainText('cores');
  });

  await test.step('the token is shown and replaced', async () => {
    const old = await app.evaluate(() => lightwell.token);
    await expect(app.getByTestId('token')).toHaveAttribute('type', 'password');
    await app.getByRole('button', { name: 'Show' }).click();
    await expect(app.getByTestId('token')).toHaveValue(old);
    await app.getByRole('button', { name: 'Replace…' }).click();
    await app.getByRole('button', { name: 'Replace token' }).click();
    const { status } = await call(app, '/embed', { model: MODEL, prompt: 'a' }, { token: old });
    expect(status).toBe(401);
    expect((await embed(app, 'a', { hosting: 'acme' })).status).toBe(200);
  });

  await test.step('they hold after a reload', async () => {
    await open(app, backend);
    await expectForeignName();
  });

  async function expectForeignName(): Promise<void> {
    const { status, body } = await embed(app, 'a', { ...foreign, hosting: 'acme' });
    expect(status).toBe(200);
    expect(body.model_version).toContain(MODEL);
  }
});
