import { figuresWords, resultWords } from '../words.en.ts';
import { languageTag, visibleText } from '../../words/language.ts';
import { marginIn, rankedIn, type Section } from '../../explanations/influence.ts';
import { type ModelAnswer, modelAnswerOf, type Prediction, targetProbability } from '../../explanations/outcome.ts';
import { requestFields } from '../../explanations/export.ts';
import { percentText, placeText, sectionName, tileName } from '../texts.ts';
import { barsFigure, matrixFigure } from '../drawing/charts.ts';
import { type Content, MADE_WITH, quotedExactly, scoreLabel } from '../drawing/content.ts';
import { heatFigure, type HeatOptions } from '../drawing/heat.ts';
import { escaped, htmlPage } from './html-page.ts';
import { svgOf } from './svg.ts';

/** A whole result in one HTML file: figures, numbers, settings. No script, no reference. */
export function reportOf(options: HeatOptions): string {
  const { content } = options;
  const { lead, detail, partial, outcome } = content;
  const words = figuresWords().report;
  const { prompt, target, picture } = outcome.question;
  const bare = { ...options, isBare: true };
  const body = [
    `<h1>${escaped(lead)}</h1>`,
    `<p>${escaped(detail)}</p>`,
    ...(partial ? [`<p><b>${escaped(partial)}</b></p>`] : []),
    ...(picture ? [`${headingHtml(words.picture)}<p>${escaped(words.pictureFirst(picture.name))}</p>`] : []),
    ...(prompt === '' ? [] : [`${headingHtml(words.prompt)}<pre dir="auto">${escaped(prompt)}</pre>`]),
    `${headingHtml(words.target)}<pre dir="auto">${escaped(target)}</pre>`,
    ...(outcome.prediction ? [predictionHtml(outcome.prediction)] : []),
    headingHtml(words.heat),
    svgOf(heatFigure(bare)),
    headingHtml(words.bars),
    svgOf(barsFigure(bare)),
    headingHtml(words.matrix),
    svgOf(matrixFigure(bare)),
    scoresHtml(content),
    settingsHtml(content),
  ];
  return htmlPage({ title: lead, lang: languageTag(), body });
}

function predictionHtml(prediction: Prediction): string {
  const answer = modelAnswerOf(prediction);
  const probability = targetProbability(prediction);
  const words = figuresWords().report;
  const rated = probability === null ? '' : ` ${resultWords().own.ratesTarget(percentText(probability))}`;
  const rows = (prediction.target?.tokens ?? []).map(({ token, log_probability, alternatives }) => [
    visibleText(token),
    percentText(Math.exp(log_probability)),
    alternatives.map((one) => `${visibleText(one.token)} ${percentText(Math.exp(one.log_probability))}`).join(', '),
  ]);
  const table = tableHtml(words.tokens, rows);
  return `${headingHtml(words.said)}\n<p>${escaped(answerText(answer) + rated)}</p>\n${table}`;
}

/** The whole answer: the page shortens it. */
function answerText({ text, isCut, isBroken, probability }: ModelAnswer): string {
  const words = resultWords().own;
  const share = percentText(probability);
  if (text.trim() === '') return words.ends(share);
  if (isBroken) return words.writesBytes(share);
  return words.says(quotedExactly(`${text.trim()}${isCut ? ' …' : ''}`), share);
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
    `${headingHtml(words.settings)}\n${tableHtml(words.facts, lines)}`,
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
