import { resultWords } from '../../../../words/en/explain/result.ts';
import {
  NEUTRAL_NATS,
  rankedIn,
  scoreIn,
  type Influence,
  type Section,
  type View,
} from '../../../../state/explain/influence.ts';
import type { Outcome } from '../../../../state/explain/outcome.ts';
import { ownAnswerOf, type Prediction, unexpectedWord } from '../../../../state/explain/prediction.ts';
import {
  capitalised,
  changeOf,
  natsText,
  percentText,
  quoted,
  quotedTarget,
  sectionPhrase,
  timesText,
} from '../../texts.ts';

/** A result in words: the finding, and the numbers. */
export interface Caption {
  readonly lead: string;
  readonly detail: string;
}

/** Effects that differ by less than this share are called equal. */
const TIE = 0.1;

/** An effect of the other sign is named from this share of the largest on. */
const NAMED = 0.25;

/** The result in words. Whatever the model does not expect is said before what supports it. */
export function captionOf({ influence, prediction, question }: Outcome, view: View): Caption {
  const words = resultWords().caption;
  const { factor } = question.settings;
  if (factor === 1) return words.unchanged;
  const goal = quotedTarget(view === 'whole' ? influence.targets.join('') : (influence.targets[view] ?? ''));
  const [top] = rankedIn(influence.sections, view);
  if (!top) return words.empty;
  const finding = capitalised(findingOf(influence, view, goal));
  const effect = effectText(top, { goal, view, factor });
  const doubt = prediction && doubtText(prediction, question.target, { goal, view });
  return doubt
    ? { lead: doubt.lead, detail: `${doubt.detail} ${finding} ${effect}` }
    : { lead: finding, detail: effect };
}

/** Said before anything else when the model does not expect the target, or the one word of it that is shown. */
function doubtText(
  prediction: Prediction,
  target: string,
  { goal, view }: { goal: string; view: View },
): Caption | null {
  const unexpected = unexpectedWord(prediction, target, view === 'whole' ? undefined : view);
  if (!unexpected) return null;
  const words = resultWords().caption;
  const probability = percentText(unexpected.probability);
  const piece = quoted(unexpected.text);
  const rated = goal === piece ? words.rated(probability) : words.ratedPiece(piece, probability);
  // What it says itself stands where the target begins, not where a later word does.
  const instead = view === 'whole' || view === 0 ? ` ${insteadText(prediction)}` : '';
  return { lead: words.unexpected(goal), detail: `${rated}${instead}` };
}

function insteadText(prediction: Prediction): string {
  const words = resultWords().caption;
  const { text, isBroken } = ownAnswerOf(prediction);
  if (isBroken) return words.insteadBroken;
  return text.trim() === '' ? words.insteadEnds : words.insteadSays(quoted(text));
}

/** The largest effect, whatever its sign, and the largest of the other sign where it counts. */
function findingOf({ sections }: Influence, view: View, goal: string): string {
  const words = resultWords().caption;
  const ranked = rankedIn(sections, view);
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
  return (supports(top) ? words.reason : words.against)(first, goal);
}

function effectText(section: Section, { goal, view, factor }: { goal: string; view: View; factor: number }): string {
  const score = scoreIn(section, view) ?? 0;
  const isLess = score >= 0 === factor < 1; // strengthening what supports makes the target more likely
  const [times, nats] = [timesText(score), natsText(score)];
  const effect = { section: sectionPhrase(section), change: changeOf(factor), goal, times, isLess, nats };
  return resultWords().caption.effect(effect);
}
