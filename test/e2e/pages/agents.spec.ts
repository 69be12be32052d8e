import { expect } from '@playwright/test';
import { test } from '../fixture.ts';

const EXPLAIN = {
  prompt: "User: A table at Luigi's in Oakland at 7 pm.\nAssistant: Booked.\nRestaurant:",
  target: " Luigi's",
};

test.use({
  launchOptions: [
    ({ launchOptions }, use) =>
      use({ ...launchOptions, args: (launchOptions.args ?? []).concat('--enable-features=WebMCP') }),
    { scope: 'worker' },
  ],
});

test('agents of the browser use the models while the settings allow it', async ({ freshApp: app }) => {
  const names = async () => (await app.webmcp.tools()).map(({ name }) => name).toSorted();
  const choose = async (choice: string) => {
    await app.getByRole('link', { name: 'Settings' }).click();
    await app.getByLabel('Agents of this browser').selectOption(choice);
  };
  await expect(app.getByRole('link', { name: 'Settings' })).toBeVisible();
  expect(await names()).toEqual([]);
  await choose('May use the models');
  await expect.poll(names).toEqual(['ask_documents', 'embed', 'evaluate', 'explain', 'search_texts']);
  expect(await app.webmcp.callTool('explain', EXPLAIN)).toMatchObject({
    structuredContent: { explanations: [{ target: " Luigi's" }] },
  });
  expect(await app.webmcp.callTool('evaluate', {})).toMatchObject({
    isError: true,
    content: [{ text: 'prompt: expected a value, got none' }],
  });
  await app.evaluate(() => void (location.hash = '#/privacy'));
  await expect(app.getByTestId('agents')).toContainText('2 calls since the page was opened');
  await choose('May not use the models');
  await expect.poll(names).toEqual([]);
});
