import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Why there is no picture; the message is shown to people. */
export class DrawingError extends Error {}

/** Names and usual places of browsers that draw without a window. */
const BROWSERS = [
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

const SWITCHES = [
  '--headless',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), // root, as in containers, has no sandbox to start
];

/** Pixels of the picture for each of the page. */
const SCALE = 2;
/** Of the page: its text and the margins beside it. */
const WIDTH = 760;
/** Highest page, pixels: Chromium 156 left a page blank below 24,600 without an error. */
const MAX_HEIGHT = 20_000;
/** Ends a browser that hangs: 16,000 words take a minute on a busy machine. */
const DRAWING_MS = 300_000;

/** Below the page as above it. */
const MEASURE =
  'const { top, bottom } = document.body.getBoundingClientRect(); document.documentElement.dataset.height = Math.ceil(top + bottom);';

/**
 * A page as a PNG file, drawn by an installed Chromium, Chrome or Edge, in the fonts of the system.
 *
 * @param page   its HTML, which runs this module
 * @param named  path of the browser; default: the first of the usual ones that is there
 * @throws {DrawingError} where there is none, where it draws nothing, and for a page that is too high
 */
export function drawPng(page: (module: string) => string, named = process.env['CHROMIUM_PATH']): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'lightwell-'));
  const [html, png] = [join(folder, 'page.html'), join(folder, 'page.png')];
  const draw = (height: number, action: string) =>
    browse(named ? [named] : BROWSERS, [
      ...SWITCHES,
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${WIDTH},${height}`,
      `--force-device-scale-factor=${SCALE}`,
      action,
      pathToFileURL(html).href,
    ]);
  try {
    writeFileSync(html, page(MEASURE));
    const measured = draw(WIDTH, '--dump-dom');
    const height = Number(/^<html[^>]* data-height="(\d+)"/m.exec(measured.stdout)?.[1] ?? measured.fail());
    if (height > MAX_HEIGHT)
      throw new DrawingError(
        `--png: expected a page at most ${MAX_HEIGHT} pixels high, got ${height}; --html has no limit`,
      );
    const drawn = draw(height, `--screenshot=${png}`);
    return existsSync(png) ? readFileSync(png) : drawn.fail();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the first of these programs that is there. `fail` throws with what it said. */
function browse(programs: readonly string[], args: readonly string[]) {
  for (const program of programs) {
    const { error, stdout, stderr } = spawnSync(program, args, {
      encoding: 'utf8',
      timeout: DRAWING_MS,
      maxBuffer: Infinity,
    });
    if (error && 'code' in error && error.code === 'ENOENT') continue;
    const fail = (): never => {
      throw new DrawingError(`--png: ${program} has drawn nothing: ${error?.message ?? stderr.trim().slice(-500)}`);
    };
    return { stdout, fail };
  }
  throw new DrawingError(
    `--png: expected Chromium, Chrome or Edge, in one of the usual places or at CHROMIUM_PATH, got none at ${programs.join(', ')}`,
  );
}
