import { exportWords, figuresWords, resultWords } from '../words.en.ts';
import { numberText, languageTag, visibleText } from '../../words/language.ts';
import { largestIn, marginIn, NEUTRAL_NATS, scoreIn, rankedIn, type Section } from '../../explanations/influence.ts';
import { COLOURS, type Mark, markOf } from '../colours.ts';
import { fullColour } from '../scale.ts';
import { type Content, scoreLabel, MADE_WITH, quotedExactly } from '../drawing/content.ts';
import {
  type DrawnText,
  type GreyPicture,
  type ShownPiece,
  shownPieces,
  TILE_OPACITY,
  heatFigure,
  type HeatOptions,
} from '../drawing/heat.ts';
import { FAMILIES } from '../drawing/figure.ts';
import { escaped, htmlPage } from './html-page.ts';
import { inNats, percentText, placeText, sectionName, tileName } from '../texts.ts';
import { modelAnswerOf, type Prediction, targetProbability } from '../../explanations/outcome.ts';
import { requestFields } from '../../explanations/export.ts';
import { barsFigure, matrixFigure } from '../drawing/charts.ts';
import { svgOf } from './svg.ts';
import { answerText } from '../caption.ts';

/** The heat map as HTML that can be pasted into any page: one element, styles inside, no script, no reference. */
export function htmlOf(content: Content, picture: GreyPicture | null): string {
  const { lead, detail, partial, facts } = content;
  const lines = facts.map(({ name, text }) => `<b>${escaped(name)}:</b> <span dir="auto">${escaped(text)}</span>`);
  const parts = [
    `<figcaption><b>${escaped(lead)}</b> ${escaped(detail)}</figcaption>`,
    partial && `<p><b>${escaped(partial)}</b></p>`,
    picture && pictureHtml(content, picture),
    content.outcome.question.prompt !== '' && textHtml(content),
    `<p style="${styleOf({ 'font-size': '0.8em' })}">${lines.join('<br>\n')}</p>`,
  ];
  const style = {
    margin: '1em 0',
    padding: '1em',
    'max-width': '46em',
    background: COLOURS.ground,
    color: COLOURS.ink,
    font: `16px/1.5 ${FAMILIES.sans}`,
  };
  const body = parts.filter((part) => part !== null && part !== false).join('\n');
  return asciiOnly(`<figure style="${styleOf(style)}">\n${body}\n</figure>\n`);
}

/** A text in its colours, and their scale. */
export function textHtml(content: DrawnText): string {
  const { outcome, view } = content;
  const largest = largestIn(outcome.influence.prompt, view);
  const style = {
    margin: '0.6em 0',
    font: `1.1em/2 ${FAMILIES.serif}`,
    'white-space': 'pre-wrap',
    'overflow-wrap': 'anywhere',
    'unicode-bidi': 'plaintext',
  };
  const pieces = shownPieces(content).map((piece) => pieceHtml(piece, content, largest));
  return `<div dir="auto" style="${styleOf(style)}">${pieces.join('')}</div>\n${legendHtml(largest, content.unit)}`;
}

function pieceHtml({ text, section }: ShownPiece, { view, unit }: DrawnText, largest: number): string {
  const score = section && scoreIn(section, view);
  if (section === null || score === null) return escaped(text);
  const mark = markOf(score, largest, section.isSink);
  const margin = marginIn(section, view);
  const styles = {
    ...(mark.fill !== null && {
      background: `${lineBelow(mark, 4)},${mark.fill}`,
      padding: '0.22em 0 0.26em',
      'border-radius': '0.2em',
      '-webkit-box-decoration-break': 'clone',
      'box-decoration-break': 'clone',
    }),
    ...(margin !== null && { 'text-decoration': 'underline dotted 1px', 'text-underline-offset': '0.3em' }),
  };
  const style = Object.keys(styles).length === 0 ? '' : ` style="${styleOf(styles)}"`;
  const label = scoreLabel(score, margin);
  return `<span title="${escaped(unit === 'share' ? label : inNats(label))}"${style}>${escaped(text)}</span>`;
}

/** Solid where the section supports, dashed where it opposes; `thickest` is at the full colour, pixels. */
function lineBelow({ edge, sign, weight }: Mark, thickest: number): string {
  const line =
    sign === 'supports'
      ? `linear-gradient(${edge},${edge})`
      : `repeating-linear-gradient(90deg,${edge} 0 4px,transparent 4px 7px)`;
  return `${line} left bottom/100% ${(weight * thickest).toFixed(2)}px no-repeat`;
}

const STEPS = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1] as const;

/** The scale, with the numbers at its ends. */
function legendHtml(largest: number, unit: DrawnText['unit'] = 'nats'): string {
  const full = fullColour(largest);
  const steps = STEPS.map((share) => {
    const { fill } = markOf(share * full, full);
    const style = { display: 'inline-block', width: '1.6em', height: '0.8em', background: fill ?? COLOURS.ground };
    return `<span style="${styleOf(style)}"></span>`;
  });
  const words = resultWords().heat;
  const least = numberText(NEUTRAL_NATS);
  const before = escaped(words.opposes);
  const after = escaped(unit === 'nats' ? figuresWords().legend(least) : `${words.supports} (${words.share(least)})`);
  const number = numberText(full);
  return `<p style="${styleOf({ 'font-size': '0.8em' })}">${before} &minus;${number} ${steps.join('')} +${number} ${after}</p>`;
}

function pictureHtml({ outcome, view }: Content, { href, ratio }: GreyPicture): string {
  const tiles = outcome.influence.picture;
  const largest = largestIn(tiles, view);
  const marks = tiles.map((tile) => {
    const score = scoreIn(tile, view) ?? 0;
    const mark = markOf(score, largest);
    const { left, top, width, height } = tile.rect;
    const style = {
      position: 'absolute',
      left: percent(left),
      top: percent(top),
      width: percent(width),
      height: percent(height),
      ...(mark.fill !== null && {
        background: `${lineBelow(mark, 2)},${mark.hue}${alpha(TILE_OPACITY * mark.weight)}`,
      }),
    };
    const title = inNats(scoreLabel(score, marginIn(tile, view)));
    return `<span title="${escaped(title)}" style="${styleOf(style)}"></span>`;
  });
  const size = { width: '20em', 'max-width': '100%', 'aspect-ratio': `${ratio}` };
  const frame = { position: 'relative', display: 'block', ...size };
  const image = `<img src="${escaped(href)}" alt="${escaped(figuresWords().alt)}" style="${styleOf({ width: '100%', height: '100%' })}">`;
  return `<div style="${styleOf(frame)}">${image}${marks.join('')}</div>\n${legendHtml(largest)}`;
}

/** Two hexadecimal digits. @param opacity  0 … 1 */
function alpha(opacity: number): string {
  return Math.round(255 * opacity)
    .toString(16)
    .padStart(2, '0');
}

function percent(share: number): string {
  return `${Math.round(share * 10000) / 100}%`;
}

function styleOf(style: Readonly<Record<string, string>>): string {
  const declarations = Object.entries(style).map(([name, value]) => `${name}:${value}`);
  return escaped(declarations.join(';'));
}

/** A whole result in one HTML file: figures, numbers, settings. No script, no reference. */
export function reportOf(options: HeatOptions): string {
  const { content } = options;
  const { lead, detail, partial, outcome } = content;
  const { report: words, facts } = figuresWords();
  const { things } = exportWords();
  const { prompt, target, picture } = outcome.question;
  const bare = { ...options, isBare: true };
  const body = [
    `<h1>${escaped(lead)}</h1>`,
    `<p>${escaped(detail)}</p>`,
    ...(partial ? [`<p><b>${escaped(partial)}</b></p>`] : []),
    ...(picture ? [`${headingHtml(words.picture)}<p>${escaped(words.pictureFirst(picture.name))}</p>`] : []),
    ...(prompt === '' ? [] : [`${headingHtml(facts.prompt)}<pre dir="auto">${escaped(prompt)}</pre>`]),
    `${headingHtml(facts.target)}<pre dir="auto">${escaped(target)}</pre>`,
    ...(outcome.prediction ? [predictionHtml(outcome.prediction)] : []),
    headingHtml(things.heat.label),
    svgOf(heatFigure(bare)),
    headingHtml(things.bars.label),
    svgOf(barsFigure(bare)),
    headingHtml(things.matrix.label),
    svgOf(matrixFigure(bare)),
    scoresHtml(content),
    settingsHtml(content),
  ];
  return htmlPage({ title: lead, lang: languageTag(), body });
}

function predictionHtml(prediction: Prediction): string {
  const answer = modelAnswerOf(prediction);
  const whole = `${answer.text.trim()}${answer.isCut ? ' …' : ''}`; // the page shortens it
  const probability = targetProbability(prediction);
  const words = figuresWords().report;
  const rated = probability === null ? '' : ` ${resultWords().own.ratesTarget(percentText(probability))}`;
  const rows = (prediction.target?.tokens ?? []).map(({ token, log_probability, alternatives }) => [
    visibleText(token),
    percentText(Math.exp(log_probability)),
    alternatives.map((one) => `${visibleText(one.token)} ${percentText(Math.exp(one.log_probability))}`).join(', '),
  ]);
  const table = tableHtml(words.tokens, rows);
  return `${headingHtml(words.said)}\n<p>${escaped(answerText(answer, whole && quotedExactly(whole)) + rated)}</p>\n${table}`;
}

function scoresHtml({ outcome: { influence } }: Content): string {
  const words = figuresWords().report;
  const head = [...words.columns, ...influence.targets.map(visibleText)];
  const row = (section: Section) => [
    section.part === 'picture' ? tileName(section) : sectionName(section, 80),
    placeText(section),
    scoreLabel(section.total, marginIn(section, 'whole')),
    ...section.scores.map((score, column) => (score === null ? '–' : scoreLabel(score, marginIn(section, column)))),
  ];
  const rows = [...rankedIn(influence.sections, 'whole'), ...influence.target].map(row);
  return `${headingHtml(words.scores)}\n${tableHtml(head, rows)}`;
}

function settingsHtml({ facts, outcome, model }: Content): string {
  const words = figuresWords().report;
  const request = Object.entries(requestFields(outcome, model)).map(([name, value]) => [name, String(value)]);
  const lines = facts.map(({ name, text }) => [name, text]);
  return [
    `${headingHtml(figuresWords().facts.settings)}\n${tableHtml(words.facts, lines)}`,
    `${headingHtml(words.request)}\n${tableHtml(words.fields, request)}`,
    `<p>${escaped(words.made(MADE_WITH))}</p>`,
  ].join('\n');
}

function headingHtml(text: string): string {
  return `<h2>${escaped(text)}</h2>`;
}

function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((cell) => `<th scope="col" dir="auto">${escaped(cell)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td dir="auto">${escaped(cell)}</td>`).join('')}</tr>`);
  return `<div><table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`;
}

/** HTML in ASCII, for a page of unknown encoding: any other character becomes a numeric reference. */
export function asciiOnly(html: string): string {
  return html.replaceAll(/[^\t\n\r -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}
