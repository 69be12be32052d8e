import { type Influence, rankedIn, scoreIn, type Section, type View } from '../../../state/explain/influence.ts';
import { factorPhrase, nameOf, natsSize, sectionPhrase, timesText } from '../texts.ts';

/** What a result says: one sentence to remember, one with the numbers. */
export interface Caption {
  readonly lead: string;
  readonly detail: string;
}

/** The result in words. A factor above 1 strengthens sections, so the one that helps most has the lowest score. */
export function captionOf(influence: Influence, view: View, factor: number): Caption {
  const goal = view === 'whole' ? 'the target' : `‘${nameOf(influence.targets[view] ?? '')}’`;
  if (factor === 1) {
    return { lead: 'A factor of 1 changes nothing.', detail: 'Every score is zero. Choose a smaller factor.' };
  }
  const ranked = rankedIn(influence.sections, view);
  const helps = (section: Section) => (scoreIn(section, view) ?? 0) * (1 - factor) > 0;
  const best = ranked.find(helps);
  if (best) return said(best, `most supports ${goal}.`, { goal, view, factor });
  const worst = ranked[0];
  if (worst) return said(worst, `most opposes ${goal}; no section supports it.`, { goal, view, factor });
  return { lead: 'There is nothing to explain yet.', detail: 'The prompt has no sections of this kind.' };
}

function said(section: Section, verdict: string, about: { goal: string; view: View; factor: number }): Caption {
  const name = sectionPhrase(section);
  return { lead: `${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${verdict}`, detail: effectText(section, about) };
}

function effectText(section: Section, { goal, view, factor }: { goal: string; view: View; factor: number }): string {
  const score = scoreIn(section, view) ?? 0;
  const direction = score >= 0 ? 'rises' : 'falls';
  const times = timesText(score);
  const change = times && `: it becomes ${times} ${score >= 0 ? 'less' : 'more'} likely`;
  const phrase = factorPhrase(sectionPhrase(section), factor);
  return `${phrase}, the cross entropy of ${goal} ${direction} by ${natsSize(score)}${change ?? ''}.`;
}
