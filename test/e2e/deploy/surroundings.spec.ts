import { expect, type BrowserContext, type Page } from '@playwright/test';
import { open, test } from '../fixture.ts';
import { inFrontOfWorkers } from '../visitor.ts';

/** What a browser may do to a page, run before any script of it. */
const STORAGES: readonly (readonly [what: string, does: () => void])[] = [
  [
    'storage that throws at every call',
    () => {
      const refuse = () => {
        throw new DOMException('refused', 'QuotaExceededError');
      };
      Object.assign(Storage.prototype, { getItem: refuse, setItem: refuse, removeItem: refuse });
    },
  ],
  [
    'cookies blocked, and storage with them',
    () => {
      const get = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
        Object.defineProperty(window, name, { get });
      Object.defineProperty(navigator.serviceWorker, 'register', { value: get });
    },
  ],
];

/** Collects what the page tries against its own policy, from its first script on. */
async function watchViolations(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { violations: seen });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      seen.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  return () => page.evaluate(() => (globalThis as typeof globalThis & { violations: string[] }).violations);
}

/** Opens the page without waiting for its model, and asks what needs none. */
async function start(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() => 'lightwell' in globalThis);
  await expect(page.getByTestId('prompt')).toBeVisible();
  const statuses = await page.evaluate(async () => {
    const headers = { Authorization: `Bearer ${lightwell.token}` };
    const listed = await lightwell.fetch('model-settings', { headers });
    const refused = await lightwell.fetch('embed', { method: 'POST', headers, body: '{"model": 1}' });
    return [listed.status, refused.status];
  });
  expect(statuses).toEqual([200, 400]);
}

for (const [what, does] of STORAGES)
  test(`the page works with ${what}`, async ({ page }) => {
    await page.addInitScript(does);
    await start(page);
    await page.getByTestId('prompt').fill('typed');
    await page.evaluate(() => {
      lightwell.replaceToken();
      lightwell.settings.set({ timeoutMs: 5000 });
    });
    expect(await page.evaluate(() => lightwell.settings.get().timeoutMs)).toBe(5000);
    await expect(page.getByTestId('prompt')).toHaveValue('typed');
  });

test('a start and a check of a body try nothing against the policy, and a wrong model file is named', async ({
  page,
}) => {
  const violations = await watchViolations(page);
  await page.route('**/lightwell-base/onnx/embed_tokens.onnx', (route) =>
    route.fulfill({ body: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 2097573\n' }),
  );
  await start(page);
  const badge = page.getByTestId('model-badge');
  await expect(badge).toHaveAttribute('data-kind', 'failed');
  await expect(badge).toHaveAccessibleDescription(/embed_tokens\.onnx is not the model's file: got a Git LFS pointer/);
  expect(await violations()).toEqual([]);
});

/** Lines in front of the worker's script: init scripts reach pages only. */
async function inWorker(context: BrowserContext, script: string): Promise<void> {
  await context.route(/\/inference\.worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script}\n${await response.text()}` });
  });
}

/** Noise on one channel in a thousand, as protections against fingerprinting add it. */
const NOISE = `{
  const { getImageData } = OffscreenCanvasRenderingContext2D.prototype;
  OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...area) {
    const image = getImageData.apply(this, area);
    for (let i = 0; i < image.data.length; i += 1000) image.data[i] ^= 1;
    return image;
  };
}`;

test('a browser without shared memory runs one thread and says so; one that changes pixels explains no picture', async ({
  page,
  context,
  backend,
}) => {
  await inWorker(context, `delete globalThis.SharedArrayBuffer;${NOISE}`);
  await open(page, backend);
  const badge = page.getByTestId('model-badge');
  await expect(badge).toContainText('WASM, 1 thread');
  await expect(badge).toHaveAccessibleDescription(/one thread: this browser has no shared memory/);
  const { status, body } = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext('2d')?.fillRect(0, 0, 4, 4);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    const data = btoa(String.fromCharCode(...bytes));
    const response = await lightwell.fetch('embed', {
      method: 'POST',
      headers: { Authorization: `Bearer ${lightwell.token}` },
      body: JSON.stringify({ model: 'lightwell-base', prompt: [{ type: 'image', data }] }),
    });
    return { status: response.status, body: await response.text() };
  });
  expect(status, body).toBe(400);
  expect(JSON.parse(body)).toMatchObject({
    code: 'MISSING_CAPABILITY',
    error: expect.stringContaining('protect against fingerprinting'),
  });
});

test('a browser without WebAssembly is told what to allow', async ({ page, context }) => {
  await inWorker(context, 'delete globalThis.WebAssembly;');
  await page.goto('/');
  await page.getByTestId('explain').click();
  const problem = page.getByTestId('problem');
  await expect(problem).toContainText('WebAssembly is switched off');
  await expect(problem).toContainText('Allow it for this site');
});

test('a text of 60 MB is refused in words before it reaches the field', async ({ app }) => {
  const before = await app.getByTestId('prompt').inputValue();
  const isRefused = await app.getByTestId('prompt').evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'word '.repeat(12_000_000));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    return !field.dispatchEvent(paste);
  });
  expect(isRefused).toBe(true);
  await expect(app.getByRole('alert').filter({ hasText: 'That text has 60,000,000 characters' })).toBeVisible();
  expect(await app.getByTestId('prompt').inputValue()).toBe(before);
});

test('a page that was frozen answers as before when it wakes', async ({ linked: { page, server } }) => {
  const session = await page.context().newCDPSession(page);
  const token = await page.evaluate(() => lightwell.token);
  const ask = async () => {
    const response = await fetch(new URL('/api/model-settings', server.url), {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.status;
  };
  expect(await ask()).toBe(200);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  await expect.poll(ask).toBe(200);
});

test('a browser without promise integration runs, and fetches, the other build of ONNX Runtime', async ({
  page,
  context,
  backend,
}) => {
  await inFrontOfWorkers(context, 'delete WebAssembly.Suspending;');
  const builds = new Set<string | undefined>();
  context.on('request', (request) => {
    const [, build] = /ort-wasm-simd-threaded\.([a-z]+)-/.exec(request.url()) ?? [];
    if (build) builds.add(build);
  });
  await open(page, backend);
  expect([...builds]).toEqual(['asyncify']);
});
