import { NEUTRAL_NATS, rankedIn, type Stretch } from '../../../state/explain/influence.ts';
import type { Outcome } from '../../../state/explain/outcome.ts';
import { isOwnChoice, ownAnswerOf, targetProbability } from '../../../state/explain/prediction.ts';
import { agreementOf, type AttentionFound } from '../../../state/learn/lessons/attention.ts';
import { type GranularityFound, inverted, sentenceRows } from '../../../state/learn/lessons/granularity.ts';
import { mostSplit, realWords, type TokensFound } from '../../../state/learn/lessons/tokens.ts';
import { learnWords } from '../../../words/en/learn.ts';
import { countText } from '../../../words/numbers.ts';
import { saidWords, tokenText } from '../../explain/result/head/own-answer-text.ts';
import { nameOf, natsText, percentText, sectionPhrase, visibleText } from '../../explain/texts.ts';

// What to notice in each lesson: sentences that are true of the numbers, whatever text they are of.

/** How words become tokens, and how sure the next one is. */
export function tokensNotice({ words, tokenCount, written }: TokensFound): string[] {
  const say = learnWords().tokens;
  const most = mostSplit(words);
  const [first] = written;
  return [
    say.counts(countText(realWords(words).length, say.words), countText(tokenCount, say.tokens)),
    most
      ? say.split(
          nameOf(most.text),
          most.tokens.map((token) => tokenText(token, most.text)).join(' · '),
          countText(most.tokens.length, say.tokens),
        )
      : say.whole,
    ...(first ? [say.first(visibleText(first.token), percentText(Math.exp(first.log_probability)))] : []),
  ];
}

/** Whether the target is the model's own, what dimming does, and whether deleting says the same. */
export function attentionNotice({ outcome, deleted }: AttentionFound): string[] {
  const say = learnWords().attention;
  return [...targetNotice(outcome), topText(outcome) ?? say.weak, ...deletedTexts(deleted)];
}

/** Whether the target is what the model itself says. */
export function targetNotice({ prediction, question }: Outcome): string[] {
  const say = learnWords().attention;
  const probability = prediction && targetProbability(prediction);
  if (!prediction || probability === null) return [];
  const [target, share] = [nameOf(question.target), percentText(probability)];
  if (isOwnChoice(prediction)) return [say.own(target, share)];
  const said = saidWords(ownAnswerOf(prediction));
  return [said === null ? say.notOwnEnd(target, share) : say.notOwn(target, share, said)];
}

/** What the strongest word does to the target's probability; null where none does anything. */
function topText({ influence, prediction }: Outcome): string | null {
  const [top] = rankedIn(influence.prompt, 'whole');
  const before = prediction && targetProbability(prediction);
  if (!top || !before || Math.abs(top.total) < NEUTRAL_NATS) return null;
  const after = before * Math.exp(-top.total);
  return learnWords().attention.top(sectionPhrase(top), percentText(before), percentText(after));
}

function deletedTexts(deleted: AttentionFound['deleted']): string[] {
  const say = learnWords().attention;
  const agreement = agreementOf(deleted);
  if (agreement.kind === 'none') return [];
  if (agreement.kind === 'alike') return [say.alike];
  const { section, loss } = agreement.example;
  return [say[agreement.kind](sectionPhrase(section), natsText(section.total), natsText(loss))];
}

/** Where a sentence has the sign of neither its words nor its deletion, and what the words show beyond it. */
export function granularityNotice(found: GranularityFound): string[] {
  const say = learnWords().granularity;
  const turned = inverted(sentenceRows(found));
  const signs =
    turned === null
      ? say.straight
      : turned.by === 'deleted'
        ? say.turnedByDeletion(
            sectionPhrase(turned.row.section, 48),
            natsText(turned.row.whole),
            natsText(turned.row.deleted ?? 0),
          )
        : say.turnedByWords(
            sectionPhrase(turned.row.section, 48),
            natsText(turned.row.whole),
            natsText(turned.row.words),
          );
  return [signs, ...finerText(found)];
}

/** Which word of the strongest sentence counts most, or that the strongest word stands elsewhere. */
function finerText({ words, sentences }: GranularityFound): string[] {
  const say = learnWords().granularity;
  const [sentence] = rankedIn(sentences.influence.prompt, 'whole');
  const [word] = rankedIn(words.influence.prompt, 'whole');
  if (!sentence || !word || Math.abs(word.total) < NEUTRAL_NATS || sentences.influence.prompt.length < 2) return [];
  const text = isIn(word, sentence) ? say.finer : say.elsewhere;
  return [text(sectionPhrase(word), sectionPhrase(sentence, 48))];
}

function isIn(word: Stretch, { start, length }: Stretch): boolean {
  return word.start >= start && word.start < start + length;
}

/** Whether the model says the target, and that the colours look alike either way. */
export function limitNotice(outcome: Outcome): string[] {
  const { influence, prediction } = outcome;
  const say = learnWords().limits;
  const [top] = rankedIn(influence.prompt, 'whole');
  const isOwn = prediction !== null && isOwnChoice(prediction);
  const isStrong = top !== undefined && Math.abs(top.total) >= NEUTRAL_NATS;
  const text = isOwn ? say.noFailure : say.definite;
  return [
    ...targetNotice(outcome),
    isStrong ? text(sectionPhrase(top), natsText(top.total)) : learnWords().attention.weak,
  ];
}
