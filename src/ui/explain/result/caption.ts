import { rankedIn, scoreIn, type Influence, type Section, type View } from '../../../state/explain/influence.ts';
import { factorPhrase, nameOf, natsText, sectionPhrase, timesText } from '../texts.ts';

/** A result in two sentences: the finding, and the numbers. */
export interface Caption {
  readonly lead: string;
  readonly detail: string;
}

/** The result in words. A factor above 1 strengthens sections, so the one that helps most has the lowest score. */
export function captionOf(influence: Influence, view: View, factor: number): Caption {
  if (factor === 1) {
    return { lead: 'A factor of 1 changes nothing.', detail: 'Every score is zero. Choose a smaller factor.' };
  }
  const goal = goalOf(influence, view);
  const ranked = rankedIn(influence.sections, view);
  const helps = (section: Section) => (scoreIn(section, view) ?? 0) * (1 - factor) > 0;
  const best = ranked.find(helps);
  const shown = best ?? ranked[0];
  if (!shown) return { lead: 'There is nothing to explain yet.', detail: 'The prompt has no sections of this kind.' };
  const verdict = best ? `is the main reason for ${goal}.` : `speaks most against ${goal}; no section supports it.`;
  return {
    lead: `${capitalised(sectionPhrase(shown))} ${verdict}`,
    detail: effectText(shown, { goal, view, factor }),
  };
}

function goalOf({ targets }: Influence, view: View): string {
  const name = nameOf(view === 'whole' ? targets.join('') : (targets[view] ?? ''));
  return name === '' ? 'the target' : `‘${name}’`;
}

function capitalised(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function effectText(section: Section, { goal, view, factor }: { goal: string; view: View; factor: number }): string {
  const score = scoreIn(section, view) ?? 0;
  const cause = factorPhrase(sectionPhrase(section), factor);
  const times = timesText(score);
  const effect = times
    ? `makes ${goal} ${times} ${score >= 0 ? 'less' : 'more'} likely`
    : `hardly changes how likely ${goal} is`;
  return `${cause} ${effect} (${natsText(score)} nats).`;
}
