import { figuresWords } from '../../../../words/en/explain/figures.ts';
import { resultWords } from '../../../../words/en/explain/result.ts';
import { sectionsWords } from '../../../../words/en/explain/sections.ts';
import { spokenTag } from '../../../../words/spoken.ts';
import { marginIn, rankedIn, type Section } from '../../../../state/explain/influence.ts';
import {
  type OwnAnswer,
  ownAnswerOf,
  type Prediction,
  targetProbability,
} from '../../../../state/explain/prediction.ts';
import { requestFields } from '../../../../state/explain/export.ts';
import { percentText, placeText, sectionName, tileName, visibleText } from '../../texts.ts';
import { barsFigure } from '../figure/bars.ts';
import { type Content, MADE_WITH, scoreLabel } from '../figure/content.ts';
import { heatFigure, type HeatOptions } from '../figure/heat.ts';
import { matrixFigure } from '../figure/matrix.ts';
import { escaped } from './escape.ts';
import { htmlPage } from './html-page.ts';
import { svgOf } from './svg.ts';

/** Everything about a result in one HTML file: figures, numbers, settings. No script, no reference. */
export function reportOf(options: HeatOptions): string {
  const { content } = options;
  const { lead, detail, partial, outcome } = content;
  const words = figuresWords().report;
  const { prompt, target, picture } = outcome.question;
  const body = [
    `<h1>${escaped(lead)}</h1>`,
    `<p>${escaped(detail)}</p>`,
    ...(partial ? [`<p><b>${escaped(partial)}</b></p>`] : []),
    ...(picture ? [`${headingHtml(words.picture)}<p>${escaped(words.pictureFirst(picture.name))}</p>`] : []),
    ...(prompt === '' ? [] : [`${headingHtml(words.prompt)}<pre dir="auto">${escaped(prompt)}</pre>`]),
    `${headingHtml(words.target)}<pre dir="auto">${escaped(target)}</pre>`,
    ...(outcome.prediction ? [predictionHtml(outcome.prediction)] : []),
    ...figures(options),
    scoresHtml(content),
    settingsHtml(content),
  ];
  return htmlPage({ title: lead, lang: spokenTag(), body });
}

function figures(options: HeatOptions): string[] {
  const words = figuresWords().report;
  const bare = { ...options, isBare: true };
  return [
    headingHtml(words.heat),
    svgOf(heatFigure(bare)),
    headingHtml(words.bars),
    svgOf(barsFigure(bare)),
    headingHtml(words.matrix),
    svgOf(matrixFigure(bare)),
  ];
}

function predictionHtml(prediction: Prediction): string {
  const own = ownAnswerOf(prediction);
  const probability = targetProbability(prediction);
  const words = figuresWords().report;
  const rated = probability === null ? '' : ` ${resultWords().own.ratesTarget(percentText(probability))}`;
  const rows = (prediction.target?.tokens ?? []).map(({ token, log_probability, alternatives }) => [
    visibleText(token),
    percentText(Math.exp(log_probability)),
    alternatives.map((each) => `${visibleText(each.token)} ${percentText(Math.exp(each.log_probability))}`).join(', '),
  ]);
  const table = tableHtml(words.tokens, rows);
  return `${headingHtml(words.said)}\n<p>${escaped(saidText(own) + rated)}</p>\n${table}`;
}

/** The whole answer, where the page cuts it. */
function saidText({ text, isCut, isBroken, probability }: OwnAnswer): string {
  const words = resultWords().own;
  const share = percentText(probability);
  if (text.trim() === '') return words.ends(share);
  if (isBroken) return words.writesBytes(share);
  return words.says(sectionsWords().phrase.text(`${text.trim()}${isCut ? ' …' : ''}`), share);
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
  const plain = facts.map(({ name, text }) => [name, text]);
  return [
    `${headingHtml(words.settings)}\n${tableHtml(words.facts, plain)}`,
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
