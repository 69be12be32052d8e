import { wordsOf } from '../spoken.ts';

/** The Learn page: lessons on live examples. Names in braces are terms of the glossary. */
export const LEARN = {
  title: 'Learn',
  claim: 'Five short lessons on live examples. Change a text and see what happens.',
  lessons: 'Lessons',
  lesson: (number: string) => `Lesson ${number}`,
  live: {
    run: 'Run',
    cancel: 'Cancel',
    running: 'The model is working',
    stale: 'The text has changed. Run again to see what holds for it.',
    reset: 'Back to the example',
    failed: 'This did not work:',
    text: 'Text',
    prompt: 'Prompt',
    target: 'Target',
    targetSpace: 'Begins with a space: the target goes on behind the prompt.',
    missing: 'Enter a text.',
    notice: 'What to notice',
    open: 'Open on the Explain page',
    waiting: 'The result appears here.',
  },
  tokens: {
    title: 'Tokens: what the model reads',
    short: 'Tokens',
    text: [
      'A model does not read letters or words. It reads {tokens}: one for a frequent word, several for a rare one.',
      'It writes in tokens too. For every token that it knows it computes a {probability}, writes one, and starts again.',
    ],
    read: 'What it reads',
    written: 'What it would write next, token by token',
    writtenNothing: 'It would end the text here.',
    counts: (words: string, tokens: string) => `${words}, ${tokens}.`,
    words: { one: 'word', other: 'words' },
    tokens: { one: 'token', other: 'tokens' },
    split: (word: string, pieces: string, count: string) => `‘${word}’ is read as ${count}: ${pieces}.`,
    whole: 'Each word of this text is one token. Try a long name, a number or an emoji.',
    first: (token: string, share: string) =>
      `The likeliest next token is ‘${token}’, with ${share}. All other tokens share the rest.`,
    tokensOf: (word: string) => `Tokens of ‘${word}’`,
  },
  attention: {
    title: 'Attention: what dimming shows, and what it does not',
    short: 'Attention',
    text: [
      'Each word of the {prompt} in turn is dimmed: the model pays only a tenth of its attention to it. The {score} says, in {nats}, how much less likely the {target} becomes then.',
      'This shows what the model used for this target. It does not show that the target is right, and dimming a word is not the same as deleting it.',
    ],
    own: (target: string, share: string) => `‘${target}’ is what the model itself says, with ${share}.`,
    notOwn: (target: string, share: string, said: string) =>
      `The model gives ‘${target}’ only ${share}; it says ${said} itself. The colours explain your target all the same: they do not say that it is right.`,
    notOwnEnd: (target: string, share: string) =>
      `The model gives ‘${target}’ only ${share}; it ends the text itself. The colours explain your target all the same: they do not say that it is right.`,
    top: (word: string, before: string, after: string) =>
      `With ${word} dimmed, the probability of the target goes from ${before} to ${after}.`,
    weak: 'No single word matters much here.',
    sign: (word: string, dimmed: string, deleted: string) =>
      `Dimming and deleting disagree about ${word}: ${dimmed} nats dimmed, ${deleted} nats deleted.`,
    size: (word: string, dimmed: string, deleted: string) =>
      `Dimming and deleting agree in sign for these words, but not in size: ${word} counts ${dimmed} nats dimmed and ${deleted} nats deleted.`,
    alike: 'Dimming and deleting agree about these words. They need not: try another text.',
    table: 'The strongest words, dimmed and deleted',
    word: 'Word',
    dimmed: 'Dimmed, nats',
    deleted: 'Deleted, nats',
    rival: (target: string) => `Explain ‘${target}’ instead`,
    original: (target: string) => `Explain ‘${target}’ again`,
  },
  granularity: {
    title: 'Granularity: words or sentences, and when the sign turns',
    short: 'Granularity',
    text: [
      'The {prompt} is cut into {sections}, and each is dimmed as a whole. Their {granularity} is yours to choose: words show more, sentences are faster and read more easily.',
      'The larger a section, the more it hides. Dimmed as a whole it can even score with the opposite sign of its words, or of deleting it. Where that happens, do not trust the sign.',
    ],
    byWord: 'By word',
    bySentence: 'By sentence',
    table: 'The same sentence by three measures, in nats',
    sentence: 'Sentence',
    whole: 'Dimmed as a whole',
    words: 'Sum of its words',
    deleted: 'Deleted',
    turnedByDeletion: (sentence: string, whole: string, deleted: string) =>
      `The sign turns here: ${sentence} scores ${whole} nats when it is dimmed as a whole, but deleting it costs the target ${deleted} nats. Above 0 supports the target, below 0 opposes it.`,
    turnedByWords: (sentence: string, whole: string, words: string) =>
      `The sign turns here: ${sentence} scores ${whole} nats as a whole, while its words add up to ${words} nats.`,
    straight: 'No sign turns in this text: each sentence that counts agrees with its words and with its deletion.',
    finer: (word: string, sentence: string) =>
      `The strongest sentence is ${sentence}. Only the words show which part of it counts most: ${word}.`,
    elsewhere: (word: string, sentence: string) =>
      `The strongest sentence is ${sentence}, but the strongest word, ${word}, stands in another one.`,
  },
};

/** See `LEARN`. */
export const learnWords = wordsOf('learn', LEARN);
