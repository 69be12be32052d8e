import { sectionsWords } from '../explanations/words.en.ts';
import { resultWords } from './words.en.ts';
import { numberText, visibleText } from '../words/language.ts';
import { codePointMap, FRAGMENT } from '../contract/code-points.ts';
import {
  namesWord,
  NEUTRAL_NATS,
  rankedIn,
  scoreIn,
  type ScoreView,
  type Section,
  textIn,
  type TextSection,
} from '../explanations/influence.ts';
import {
  factorOf,
  isModelChoice,
  modelAnswerOf,
  type Outcome,
  type Prediction,
  targetProbability,
  unexpectedWord,
} from '../explanations/outcome.ts';
import {
  natsText,
  timesText,
  percentText,
  nameOf,
  sectionPhrase,
  quoted,
  quotedTarget,
  changeOf,
  capitalised,
  bidiIsolated,
} from './texts.ts';

/** Where a prompt was sent. @param upstream  the server's address */
export function sentText(upstream: string): string {
  return resultWords().sent(upstream, isThisDevice(upstream));
}

/** Whether a server runs on the device of the page. */
export function isThisDevice(address: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(address).hostname);
}

type ModelAnswer = ReturnType<typeof modelAnswerOf>;

/** What the model itself says after the prompt, and the probability that it gives the target there. */
export function modelAnswerText(prediction: Prediction): string {
  const words = resultWords().own;
  const answer = modelAnswerOf(prediction);
  const texts = [answerText(answer)];
  const target = targetProbability(prediction);
  const isChoice = isModelChoice(prediction);
  if (target !== null) texts.push((isChoice ? words.isTarget : words.ratesTarget)(percentText(target)));
  if (target !== null && target > answer.probability && !isChoice) texts.push(words.stepByStep);
  return texts.join(' ');
}

/** What the model itself says. @param said  its words in quotation marks; null if it ends the text at once */
export function answerText(answer: ModelAnswer, said = answerWords(answer)): string {
  const words = resultWords().own;
  const share = percentText(answer.probability);
  if (answer.isBroken) return words.writesBytes(share);
  return said ? words.says(said, share) : words.ends(share);
}

/** The words of an answer in quotation marks, or a description of bytes; null if the model ends the text at once. */
export function answerWords({ text, isCut, isBroken }: ModelAnswer): string | null {
  if (text.trim() === '') return null;
  if (isBroken) return resultWords().own.bytes;
  return sectionsWords().phrase.text(`${nameOf(text, 60)}${isCut ? ' …' : ''}`);
}

/** A readable token. @param whole  the character that a fragment is part of, if known */
export function tokenText(token: string, whole?: string): string {
  const words = resultWords().own;
  if (!token.includes(FRAGMENT)) return bidiIsolated(visibleText(token));
  return whole === undefined ? words.part : words.partOf(bidiIsolated(visibleText(whole)));
}

/** Effects that differ by a smaller share are called equal. */
const TIE = 0.1;

/** An effect of the other sign is named if it is at least this share of the largest. */
const NAMED = 0.25;

/** The result in words: the finding, and the numbers. That the model does not expect the target comes before what supports it. */
export function captionOf(outcome: Outcome, view: ScoreView): { readonly lead: string; readonly detail: string } {
  const words = resultWords().caption;
  const { influence, prediction, question } = outcome;
  const factor = factorOf(outcome);
  if (factor === 1) return words.unchanged;
  const goal = quotedTarget(textIn(influence, view));
  const ranked = rankedIn(influence.sections, view).filter(({ isSink }) => !isSink);
  const [top] = ranked;
  if (!top) return words.empty;
  const finding = capitalised(findingOf(ranked, view, { goal, prompt: question.prompt }));
  const effect = effectText(top, goal, view, factor);
  const doubt = prediction && doubtText(prediction, question.target, goal, view);
  return doubt
    ? { lead: doubt.lead, detail: `${doubt.detail} ${finding} ${effect}` }
    : { lead: finding, detail: effect };
}

/** Null if the model expects the target, or the one word of it that is shown. */
function doubtText(prediction: Prediction, target: string, goal: string, view: ScoreView) {
  const unexpected = unexpectedWord(prediction, target, view);
  if (!unexpected || modelAnswerOf(prediction).text.trim().startsWith(target.trim())) return null; // the same text in other tokens
  const words = resultWords().caption;
  const probability = percentText(unexpected.probability);
  const piece = quoted(unexpected.text);
  const rated = goal === piece ? words.rated(probability) : words.ratedPiece(piece, probability);
  // The model's own answer begins where the target begins, not where a later word does.
  const instead = view === 'whole' || namesWord(view, 0) ? ` ${insteadText(prediction)}` : '';
  return { lead: words.unexpected(goal), detail: `${rated}${instead}` };
}

function insteadText(prediction: Prediction): string {
  const words = resultWords().caption;
  const { text, isBroken } = modelAnswerOf(prediction);
  if (isBroken) return words.insteadBroken;
  return text.trim() === '' ? words.insteadEnds : words.insteadSays(quoted(text));
}

/** The largest effect, whatever its sign, and the largest of the other sign where it counts. @param ranked  the strongest first */
function findingOf(
  ranked: readonly Section[],
  view: ScoreView,
  { goal, prompt }: { readonly goal: string; readonly prompt: string },
): string {
  const words = resultWords().caption;
  const size = (section: Section | undefined) => Math.abs(section ? (scoreIn(section, view) ?? 0) : 0);
  const supports = (section: Section) => (scoreIn(section, view) ?? 0) > 0;
  const [top, second] = ranked;
  if (!top || size(top) < NEUTRAL_NATS) return words.nothing(goal);
  const first = sectionPhrase(top);
  const isTie = second !== undefined && size(second) >= (1 - TIE) * size(top);
  if (isTie && supports(top) === supports(second))
    return (supports(top) ? words.bothSupport : words.bothOppose)(first, sectionPhrase(second), goal);
  const other = ranked.find((section) => supports(section) !== supports(top));
  if (other && size(other) >= Math.max(NEUTRAL_NATS, NAMED * size(top)))
    return (supports(top) ? words.towardsAndAway : words.awayAndTowards)(first, sectionPhrase(other), goal);
  if (!supports(top)) return words.against(first, goal);
  const repeats = top.part === 'prompt' && withoutMarks(quoted(top.text)) === withoutMarks(goal);
  const source = repeats ? sourceOf(prompt, top) : null;
  return source ? words.comesFrom(goal, quoted(source.text, 60), source.line) : words.reason(first, goal);
}

/** A text without the punctuation around it: an answer may end its sentence, the section that it repeats may not. */
function withoutMarks(text: string): string {
  return text.replaceAll(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '') || text;
}

/** Words around a section that are shown with it: enough to find it. */
const WORDS_AROUND = 2;

/** The words around a section in its line, and the number of the line where the prompt has several. */
function sourceOf(prompt: string, { start, length }: TextSection): { text: string; line: string | null } {
  const span = codePointMap(prompt).toUtf16({ start, length });
  const before = prompt.slice(0, span.start);
  const [left = ''] = new RegExp(String.raw`(?:\S+[^\S\n]+){0,${WORDS_AROUND}}\S*$`).exec(before) ?? [];
  const [right = ''] =
    new RegExp(String.raw`^\S*(?:[^\S\n]+\S+){0,${WORDS_AROUND}}`).exec(prompt.slice(span.start)) ?? [];
  const line = prompt.trim().includes('\n') ? numberText(before.split('\n').length) : null;
  return { text: left + right, line };
}

function effectText(section: Section, goal: string, view: ScoreView, factor: number | null): string {
  const score = scoreIn(section, view) ?? 0;
  const isLess = score >= 0 === (factor ?? 0) < 1; // strengthening what supports makes the target more likely
  const [times, nats] = [timesText(score), natsText(score)];
  const effect = { section: sectionPhrase(section), change: changeOf(factor), goal, times, isLess, nats };
  return resultWords().caption.effect(effect);
}
