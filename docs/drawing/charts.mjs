// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../server/setup/dependencies.mjs';

/**
 * Draws the charts of `docs/benchmarks.md` from its tables, into `docs/pictures`: `npm run pictures -- charts`. Shares are drawn on a
 * logarithmic scale, as lengths are: equal steps are equal factors.
 */
const TABLE = '| network | tokens |';

/** Columns of the table, and what stands beside their lines. */
const LINES = /** @type {const} */ ([
  { column: 'naive', label: 'naive', colour: 'naive' },
  { column: 'exact ÷ naive', label: 'exact', colour: 'exact' },
  { column: 'floor ÷ naive', label: 'floor, by positions', colour: 'floor' },
  { column: 'budget ÷ naive', label: 'budget of 0.15', colour: 'budget' },
]);

const SIZE = { width: 720, height: 380 };
const INNER = { left: 60, right: 590, top: 24, bottom: 320 };
const SHARES = [1, 0.5, 0.2, 0.1, 0.05, 0.02];

/**
 * A chart of the table of lengths.
 *
 * @param {string} markdown  of `docs/benchmarks.md`
 * @returns {string}  SVG that follows the reader's light or dark theme
 * @throws {RangeError} where the table is not there
 */
export function lengthsChart(markdown) {
  const rows = rowsOf(markdown);
  const tokens = [...new Set(rows.map(tokensOf))];
  const x = scaleOf([Math.min(...tokens), Math.max(...tokens)], [INNER.left, INNER.right]);
  const y = scaleOf([Math.min(...SHARES), 1], [INNER.bottom, INNER.top]);
  const networks = [...new Set(rows.map(({ network }) => network ?? ''))];
  const lines = LINES.flatMap(({ column, label, colour }) => {
    const parts = networks.map((network) =>
      rows
        .filter((row) => row.network === network)
        .map((row) => ({ x: x(tokensOf(row)), y: y(Number(row[column] ?? 1)) })),
    );
    const last = parts.at(-1)?.at(-1);
    return [
      ...parts.map((points) => `<polyline class="${colour}" points="${points.map(pointOf).join(' ')}"/>`),
      ...parts.flat().map((point) => `<circle class="${colour}" cx="${round(point.x)}" cy="${round(point.y)}" r="3"/>`),
      `<text x="${INNER.right + 12}" y="${round((last?.y ?? 0) + 4)}">${label}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img">`,
    '<title>Time of an explanation over that of a naive one, by length</title>',
    STYLE,
    ...SHARES.map((share) => gridLine(share, y(share))),
    ...ticksOf(tokens, x),
    ...networks.map((network) => {
      const ofIt = rows.filter((row) => row.network === network).map((row) => x(tokensOf(row)));
      const middle = round((Math.min(...ofIt) + Math.max(...ofIt)) / 2);
      return `<text class="tick" x="${middle}" y="${INNER.bottom + 42}">${network.replaceAll('`', '')}</text>`;
    }),
    `<text x="${INNER.right + 28}" y="${INNER.bottom + 22}">tokens</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

const STYLE = `<style>
text { font: 13px sans-serif; fill: #3d3a35 }
.tick { text-anchor: middle; fill: #6b675f }
.share { text-anchor: end; fill: #6b675f }
.grid { stroke: #d8d3c8 }
polyline { fill: none; stroke-width: 2 }
.naive { stroke: #8a857b; fill: #8a857b } .exact { stroke: #1f5fa8; fill: #1f5fa8 }
.floor { stroke: #6f9fd0; fill: #6f9fd0; stroke-dasharray: 5 4 } .budget { stroke: #c07a00; fill: #c07a00 }
polyline.naive, polyline.exact, polyline.floor, polyline.budget { fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #e8e4da } .tick, .share { fill: #a8a297 } .grid { stroke: #4a4740 }
.exact { stroke: #7db4ef; fill: #7db4ef } .floor { stroke: #5a84b0; fill: #5a84b0 } .budget { stroke: #f0b03c; fill: #f0b03c }
}
</style>`;

/** Numbers of tokens closer than this share the first one's label. */
const LABEL_WIDTH = 36;

/**
 * @param {readonly number[]} tokens  ascending
 * @param {(count: number) => number} x
 * @returns {string[]}
 */
function ticksOf(tokens, x) {
  let free = -Infinity;
  return tokens.flatMap((count) => {
    const at = round(x(count));
    if (at < free) return [];
    free = at + LABEL_WIDTH;
    return [`<text class="tick" x="${at}" y="${INNER.bottom + 22}">${count.toLocaleString('en')}</text>`];
  });
}

/** @param {Record<string, string>} row */
function tokensOf(row) {
  return Number(row.tokens?.replaceAll(',', ''));
}

/** @param {number} share @param {number} at */
function gridLine(share, at) {
  const height = round(at);
  return [
    `<line class="grid" x1="${INNER.left}" x2="${INNER.right}" y1="${height}" y2="${height}"/>`,
    `<text class="share" x="${INNER.left - 8}" y="${round(at + 4)}">${share}</text>`,
  ].join('\n');
}

/**
 * The table, each row by the titles of its columns.
 *
 * @param {string} markdown
 * @returns {Record<string, string>[]}
 */
function rowsOf(markdown) {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.replaceAll(/ +/g, ' ').startsWith(TABLE));
  if (start < 0) throw new RangeError(`expected a table that begins with "${TABLE}", got none`);
  const cellsOf = (/** @type {string} */ line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const titles = cellsOf(lines[start] ?? '');
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines
    .slice(start + 2, end)
    .map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [titles[at] ?? '', cell])));
}

/**
 * A logarithmic scale.
 *
 * @param {readonly [number, number]} from
 * @param {readonly [number, number]} to
 * @returns {(value: number) => number}
 */
function scaleOf([low, high], [start, end]) {
  return (value) => start + ((end - start) * Math.log(value / low)) / Math.log(high / low);
}

/** @param {{ x: number, y: number }} point */
function pointOf({ x, y }) {
  return `${round(x)},${round(y)}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const markdown = readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8');
  writeFileSync(join(ROOT, 'docs/pictures/lengths.svg'), lengthsChart(markdown));
}
