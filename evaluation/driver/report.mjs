// @ts-check

/** @typedef {import('../evaluation.ts').Row} Row */
/** @typedef {import('../evaluation.ts').Figure} Figure */

/**
 * The rows as a Markdown table, as it stands in a model card: the model's column, then one for each baseline.
 *
 * @param {string} model
 * @param {readonly Row[]} rows
 * @returns {string}
 */
export function tableOf(model, rows) {
  const baselines = [...new Set(rows.flatMap((row) => Object.keys(row.baselines)))];
  const isNoted = rows.some(({ note }) => note !== undefined);
  const head = ['', 'items', model, ...baselines, ...(isNoted ? ['note'] : [])];
  const body = rows.map((row) => [
    row.what,
    String(row.items),
    `**${shown(row.model)}**`,
    ...baselines.map((name) => shown(row.baselines[name])),
    ...(isNoted ? [row.note ?? ''] : []),
  ]);
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Four significant digits: more is noise on sets of a few thousand. @param {Figure | undefined} figure */
function shown(figure) {
  if (figure === undefined) return '';
  if (typeof figure === 'number') return digits(figure);
  return `${digits(figure.value)} ± ${digits(figure.error, 2)}`;
}

/**
 * @param {number} value
 * @param {number} [significant]
 */
function digits(value, significant = 4) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(significant))) : String(value);
}
