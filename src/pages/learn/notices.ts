import type { FirstWord } from '../../explanations/first-words.ts';
import { isSink } from '../../explanations/sinks.ts';
import { answerWords, tokenText } from '../../figures/caption.ts';
import { NEUTRAL_NATS, rankedIn, type TextSection } from '../../explanations/influence.ts';
import { isModelChoice, modelAnswerOf, type Outcome, targetProbability } from '../../explanations/outcome.ts';
import type { AttentionFound, GranularityFound, TokensFound } from './lesson-stores.ts';
import { learnWords } from './words.en.ts';
import { countText, fixedText, visibleText } from '../../words/language.ts';
import { nameOf, natsText, percentText, sectionPhrase } from '../../figures/texts.ts';

// What to notice in each lesson: sentences that follow from the numbers, for any text.

/** The words and tokens of a text, and the likeliest next token. */
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

type Words = TokensFound['words'];

/** Words with a letter or digit. */
export function realWords(words: Words): Words {
  return words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** The first word with the most tokens; null if no word has several. */
export function mostSplit(words: Words): Words[number] | null {
  let most: Words[number] | null = null;
  for (const word of realWords(words)) if (word.tokens.length > (most?.tokens.length ?? 1)) most = word;
  return most;
}

/** Whether the model predicts the target, the effect of dimming, and whether deleting agrees. */
export function attentionNotice({ outcome, deleted }: AttentionFound): string[] {
  const say = learnWords().attention;
  return [...targetNotice(outcome), topText(outcome) ?? say.weak, ...deletedTexts(deleted)];
}

function targetNotice({ prediction, question }: Outcome): string[] {
  const say = learnWords().attention;
  const probability = prediction && targetProbability(prediction);
  if (!prediction || probability === null) return [];
  const [target, share] = [nameOf(question.target), percentText(probability)];
  if (isModelChoice(prediction)) return [say.own(target, share)];
  const answer = answerWords(modelAnswerOf(prediction));
  return [answer === null ? say.notOwnEnd(target, share) : say.notOwn(target, share, answer)];
}

/** The effect of the strongest word on the target's probability; null if no word has one. */
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

/** A smaller change is not evidence, nats. */
const CLEAR_NATS = 0.5;

/** Whether dimming and deleting agree: no (`sign`: a word has another sign; `size`: sizes differ by half or more), or yes. */
type Agreement =
  | { readonly kind: 'none' }
  | { readonly kind: 'alike' }
  | { readonly kind: 'sign' | 'size'; readonly example: AttentionFound['deleted'][number] };

/** Compares the effect of dimming with that of deleting; `none` without deletions. */
export function agreementOf(deleted: AttentionFound['deleted']): Agreement {
  if (deleted.length === 0) return { kind: 'none' };
  const isClear = (nats: number) => Math.abs(nats) >= CLEAR_NATS;
  const turned = deleted.find(
    ({ section: { total }, loss }) => isClear(total) && isClear(loss) && total > 0 !== loss > 0,
  );
  if (turned) return { kind: 'sign', example: turned };
  const gap = ({ section: { total }, loss }: (typeof deleted)[number]) => Math.abs(total - loss);
  const [widest] = deleted.toSorted((a, b) => gap(b) - gap(a));
  const isWide = widest && gap(widest) >= Math.max(CLEAR_NATS, Math.abs(widest.section.total) / 2);
  return isWide ? { kind: 'size', example: widest } : { kind: 'alike' };
}

/** A sentence whose sign is inverted, and which of its words counts most. */
export function granularityNotice(found: GranularityFound): string[] {
  return [signText(found), ...finerText(found)];
}

function signText(found: GranularityFound): string {
  const say = learnWords().granularity;
  const turned = inverted(sentenceRows(found));
  if (turned === null) return say.straight;
  const { row, by } = turned;
  const text = by === 'deleted' ? say.turnedByDeletion : say.turnedByWords;
  return text(sectionPhrase(row.section, 48), natsText(row.whole), natsText(row[by] ?? 0));
}

/** Which word of the strongest sentence counts most, or that the strongest word is in another one. */
function finerText({ words, sentences }: GranularityFound): string[] {
  const say = learnWords().granularity;
  const [sentence] = rankedIn(sentences.influence.prompt, 'whole');
  const [word] = rankedIn(words.influence.prompt, 'whole');
  if (!sentence || !word || Math.abs(word.total) < NEUTRAL_NATS || sentences.influence.prompt.length < 2) return [];
  const text = isIn(word, sentence) ? say.finer : say.elsewhere;
  return [text(sectionPhrase(word), sectionPhrase(sentence, 48))];
}

function isIn(word: TextSection, { start, length }: TextSection): boolean {
  return word.start >= start && word.start < start + length;
}

/** A sentence by three measures, nats; positive supports the target. */
interface SentenceRow {
  readonly section: TextSection;
  /** Dimmed as a whole. */
  readonly whole: number;
  /** Sum over its words, each dimmed alone. */
  readonly words: number;
  /** Deleted from the prompt; null if not computed. */
  readonly deleted: number | null;
}

/** A row for each sentence, in the order of the prompt. A word belongs to the sentence in which it begins. */
export function sentenceRows({ words, sentences, deleted }: GranularityFound): SentenceRow[] {
  return sentences.influence.prompt.map((section) => {
    const inside = words.influence.prompt.filter((word) => isIn(word, section));
    return {
      section,
      whole: section.total,
      words: inside.reduce((sum, { total }) => sum + total, 0),
      deleted: deleted.find((one) => one.section.id === section.id)?.loss ?? null,
    };
  });
}

/** The largest sentence whose sign is opposite to that of its deletion, or of the sum of its words; null: none. */
export function inverted(
  rows: readonly SentenceRow[],
): { readonly row: SentenceRow; readonly by: 'deleted' | 'words' } | null {
  const isTurned = (row: SentenceRow, other: number | null) =>
    other !== null &&
    Math.abs(row.whole) >= NEUTRAL_NATS &&
    Math.abs(other) >= CLEAR_NATS &&
    row.whole > 0 !== other > 0;
  const turned = (['deleted', 'words'] as const).flatMap((by) =>
    rows.filter((row) => isTurned(row, row[by])).map((row) => ({ row, by })),
  );
  return turned.toSorted((a, b) => Math.abs(b.row.whole) - Math.abs(a.row.whole))[0] ?? null;
}

/** Whether one of the first words is an attention sink. */
export function sinksNotice(words: readonly FirstWord[]): string[] {
  const say = learnWords().sinks;
  if (words.length === 0) return [say.tooShort];
  const sink = words.find(isSink);
  return [sink ? say.found(sink.word, fixedText(sink.dimmed, 2), fixedText(sink.deleted, 2)) : say.none];
}

/** Whether the model predicts the target, and the strongest word either way. */
export function limitNotice(outcome: Outcome): string[] {
  const { influence, prediction } = outcome;
  const say = learnWords().limits;
  const [top] = rankedIn(influence.prompt, 'whole');
  const isOwn = prediction !== null && isModelChoice(prediction);
  const isStrong = top !== undefined && Math.abs(top.total) >= NEUTRAL_NATS;
  const text = isOwn ? say.noFailure : say.definite;
  return [
    ...targetNotice(outcome),
    isStrong ? text(sectionPhrase(top), natsText(top.total)) : learnWords().attention.weak,
  ];
}
