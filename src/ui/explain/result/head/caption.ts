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
import { factorPhrase, nameOf, natsText, percentText, sectionPhrase, timesText } from '../../texts.ts';

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
  const { factor } = question.settings;
  if (factor === 1)
    return { lead: 'A factor of 1 changes nothing.', detail: 'Every score is zero. Choose a smaller factor.' };
  const goal = goalOf(influence, view);
  const [top] = rankedIn(influence.sections, view);
  if (!top) return { lead: 'There is nothing to explain yet.', detail: 'The prompt has no sections of this kind.' };
  const finding = findingOf(influence, view, goal);
  const effect = effectText(top, { goal, view, factor });
  const doubt = prediction && doubtText(prediction, question.target, { goal, view });
  return doubt
    ? { lead: doubt.lead, detail: `${doubt.detail} ${finding} ${effect}` }
    : { lead: finding, detail: effect };
}

function goalOf({ targets }: Influence, view: View): string {
  const name = nameOf(view === 'whole' ? targets.join('') : (targets[view] ?? ''));
  return name === '' ? 'the target' : `‘${name}’`;
}

/** Said before anything else when the model does not expect the target, or the one word of it that is shown. */
function doubtText(
  prediction: Prediction,
  target: string,
  { goal, view }: { goal: string; view: View },
): Caption | null {
  const unexpected = unexpectedWord(prediction, target, view === 'whole' ? undefined : view);
  if (!unexpected) return null;
  const probability = percentText(unexpected.probability);
  const piece = nameOf(unexpected.text);
  const rated =
    goal === `‘${piece}’` ? `It gives it a probability of ${probability}.` : `It gives ‘${piece}’ ${probability}.`;
  // What it says itself stands where the target begins, not where a later word does.
  const instead = view === 'whole' || view === 0 ? ` ${insteadText(prediction)}` : '';
  return { lead: `The model does not expect ${goal}.`, detail: `${rated}${instead}` };
}

function insteadText(prediction: Prediction): string {
  const { text, isBroken } = ownAnswerOf(prediction);
  if (isBroken) return 'It writes bytes that make up no readable text instead.';
  return text.trim() === '' ? 'It ends the text instead.' : `It says ‘${nameOf(text)}’ instead.`;
}

/** The largest effect, whatever its sign, and the largest of the other sign where it counts. */
function findingOf({ sections }: Influence, view: View, goal: string): string {
  const ranked = rankedIn(sections, view);
  const size = (section: Section | undefined) => Math.abs(section ? (scoreIn(section, view) ?? 0) : 0);
  const supports = (section: Section) => (scoreIn(section, view) ?? 0) > 0;
  const [top, second] = ranked;
  if (!top || size(top) < NEUTRAL_NATS) return `No single part of the prompt matters much for ${goal}.`;
  const isTie = second !== undefined && size(second) >= (1 - TIE) * size(top);
  if (isTie && supports(top) === supports(second)) {
    const both = `${capitalised(sectionPhrase(top))} and ${sectionPhrase(second)}`;
    return supports(top) ? `${both} support ${goal} about equally.` : `${both} speak against ${goal} about equally.`;
  }
  const other = ranked.find((section) => supports(section) !== supports(top));
  const named = other && size(other) >= Math.max(NEUTRAL_NATS, NAMED * size(top)) ? sectionPhrase(other) : null;
  const first = capitalised(sectionPhrase(top));
  if (supports(top))
    return named ? `${first} pulls towards ${goal}, ${named} pulls away.` : `${first} is the main reason for ${goal}.`;
  return named
    ? `${first} pulls away from ${goal}, ${named} pulls towards it.`
    : `${first} speaks most against ${goal}; no part of the prompt supports it much.`;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function effectText(section: Section, { goal, view, factor }: { goal: string; view: View; factor: number }): string {
  const score = scoreIn(section, view) ?? 0;
  const cause = factorPhrase(sectionPhrase(section), factor);
  const times = timesText(score);
  const isLess = score >= 0 === factor < 1; // strengthening what supports makes the target more likely
  const effect = times
    ? `makes ${goal} ${times} ${isLess ? 'less' : 'more'} likely`
    : `hardly changes how likely ${goal} is`;
  return `${cause} ${effect} (${natsText(score)} nats).`;
}
