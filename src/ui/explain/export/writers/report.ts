import { rankedIn, type Section, tileName } from '../../../../state/explain/influence.ts';
import { ownAnswerOf, type Prediction, targetProbability } from '../../../../state/explain/prediction.ts';
import { requestFields } from '../../../../state/explain/export.ts';
import { natsText, percentText, placeText, sectionName, visibleText } from '../../texts.ts';
import { barsFigure } from '../figure/bars.ts';
import { type Content, MADE_WITH } from '../figure/content.ts';
import { heatFigure, type HeatOptions } from '../figure/heat.ts';
import { matrixFigure } from '../figure/matrix.ts';
import { escaped } from './escape.ts';
import { htmlPage } from './html-page.ts';
import { svgOf } from './svg.ts';

/** Everything about a result in one HTML file: figures, numbers, settings. No script, no reference. */
export function reportOf(options: HeatOptions): string {
  const { content } = options;
  const { lead, detail, partial, outcome } = content;
  const { prompt, target, picture } = outcome.question;
  const body = [
    `<h1>${escaped(lead)}</h1>`,
    `<p>${escaped(detail)}</p>`,
    ...(partial ? [`<p><b>${escaped(partial)}</b></p>`] : []),
    ...(picture ? [`<h2>Picture</h2><p>${escaped(picture.name)}; it stands in front of the text.</p>`] : []),
    ...(prompt === '' ? [] : [`<h2>Prompt</h2><pre dir="auto">${escaped(prompt)}</pre>`]),
    `<h2>Target</h2><pre dir="auto">${escaped(target)}</pre>`,
    ...(outcome.prediction ? [predictionHtml(outcome.prediction)] : []),
    ...figures(options),
    scoresHtml(content),
    settingsHtml(content),
  ];
  return htmlPage({ title: lead, lang: 'en', body });
}

function figures(options: HeatOptions): string[] {
  const bare = { ...options, isBare: true };
  return [
    '<h2>Heat map</h2>',
    svgOf(heatFigure(bare)),
    '<h2>Bars</h2>',
    svgOf(barsFigure(bare)),
    '<h2>By target word</h2>',
    svgOf(matrixFigure(bare)),
  ];
}

function predictionHtml(prediction: Prediction): string {
  const own = ownAnswerOf(prediction);
  const probability = targetProbability(prediction);
  const said =
    own.text.trim() === ''
      ? `The model itself ends the text here (${percentText(own.probability)}).`
      : `The model itself says ‘${own.text.trim()}${own.isCut ? ' …' : ''}’ (${percentText(own.probability)}).`;
  const rated = probability === null ? '' : ` It gives the target a probability of ${percentText(probability)}.`;
  const rows = (prediction.target?.tokens ?? []).map(({ token, log_probability, alternatives }) => [
    visibleText(token),
    percentText(Math.exp(log_probability)),
    alternatives.map((each) => `${visibleText(each.token)} ${percentText(Math.exp(each.log_probability))}`).join(', '),
  ]);
  const table = tableHtml(['Target token', 'Probability', 'Likeliest tokens here'], rows);
  return `<h2>What the model itself says</h2>\n<p>${escaped(said + rated)}</p>\n${table}`;
}

function scoresHtml({ outcome: { influence } }: Content): string {
  const head = ['Section', 'Place', 'Whole target', ...influence.targets.map(visibleText)];
  const row = (section: Section) => [
    section.part === 'picture' ? tileName(section) : sectionName(section, 80),
    placeText(section),
    natsText(section.total),
    ...section.scores.map((score) => (score === null ? '–' : natsText(score))),
  ];
  const rows = [...rankedIn(influence.sections, 'whole'), ...influence.target].map(row);
  return `<h2>All scores, nats, strongest first</h2>\n${tableHtml(head, rows)}`;
}

function settingsHtml({ facts, outcome, model }: Content): string {
  const request = Object.entries(requestFields(outcome, model)).map(([name, value]) => [name, String(value)]);
  const plain = facts.map(({ name, text }) => [name, text]);
  return [
    `<h2>Settings</h2>\n${tableHtml(['What', 'Value'], plain)}`,
    `<h2>The request, as the API has it</h2>\n${tableHtml(['Field', 'Value'], request)}`,
    `<p>${escaped(`Drawn with ${MADE_WITH}, in the browser.`)}</p>`,
  ].join('\n');
}

function tableHtml(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = head.map((cell) => `<th scope="col" dir="auto">${escaped(cell)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td dir="auto">${escaped(cell)}</td>`).join('')}</tr>`);
  return `<div><table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`;
}
