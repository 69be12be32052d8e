import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { readRecord } from '../../../src/client/record.ts';
import { expectAccessible } from '../audit.ts';
import { test } from '../fixture.ts';
import { dropOnHeading, fillTarget } from '../visitor.ts';

test('a record holds in another session, by drop and by command, and a changed one does not', async ({
  freshApp: app,
  linked: { server, page: other },
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-record-'));
  try {
    const path = join(folder, 'record.json');
    await test.step('is saved', () => saveRecord(app, path));
    const record = readRecord(readFileSync(path, 'utf8'));
    expect(Object.keys(record.model.files ?? {})).toContain('onnx/decoder_model_merged.onnx');
    const changed = join(folder, 'changed.json');
    writeFileSync(changed, readFileSync(path, 'utf8').replace(/"score": -?\d/, '"score": 7'));

    await test.step('holds where it is dropped', async () => {
      await dropOnHeading(app, 'record.json', [...readFileSync(path)]);
      await expect(app.getByTestId('record-check')).toContainText('The record holds');
      await expect(app.getByTestId('record-check')).toContainText('are the recorded ones');
      await expectAccessible(app, 'a checked record');
    });
    await test.step('does not hold once a score is changed', async () => {
      await dropOnHeading(app, 'changed.json', [...readFileSync(changed)]);
      await expect(app.getByTestId('record-check')).toContainText('The record does not hold');
      await app.getByTestId('record-check').getByRole('button', { name: 'Close' }).click();
      await expect(app.getByTestId('record-check')).toHaveCount(0);
    });
    await test.step('holds in another session, by the command', async () => {
      const token = await other.evaluate(() => lightwell.token);
      const port = new URL(server.url).port;
      const run = (file: string) =>
        promisify(execFile)(process.execPath, ['build/server/lightwell.mjs', 'verify', file, '--port', port], {
          env: { ...process.env, LIGHTWELL_TOKEN: token },
        });
      expect((await run(path)).stdout).toContain('holds: largest difference');
      await expect(run(changed)).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('differs') });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function saveRecord(app: Page, path: string): Promise<void> {
  await app.getByTestId('prompt').fill('Marta was born in Warsaw.\nQuestion: Where was Marta born?\nAnswer:');
  await fillTarget(app, ' Warsaw');
  await app.getByTestId('explain').click();
  await expect(app.getByTestId('what-if')).toBeVisible(); // the result is complete
  await app.getByRole('button', { name: 'Save or share' }).click();
  const dialog = app.getByTestId('export');
  await dialog.getByRole('radio', { name: 'Record', exact: true }).check({ force: true });
  const saving = app.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save JSON' }).click();
  await (await saving).saveAs(path);
  await dialog.getByRole('button', { name: 'Close' }).click();
}
