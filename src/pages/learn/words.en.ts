import { wordsFor } from '../../words/language.ts';

/** The Learn page: lessons on live examples. Names in braces are terms of the glossary. */
export const learnWords = wordsFor('learn', {
  title: 'Learn',
  claim: 'Six short lessons with live examples. Change a text and see what happens.',
  lessons: 'Lessons',
  lesson: (number: string) => `Lesson ${number}`,

  tokens: {
    title: 'Tokens: what the model reads',
    short: 'Tokens',
    text: [
      'A model does not read letters or words. It reads {tokens}: one for a frequent word, several for a rare one.',
      'It also writes in tokens: it computes a {probability} for every token that it knows, writes one, and starts again.',
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
      'Each word of the {prompt} is dimmed in turn: the model pays only a tenth of its attention to it. The {score} says, in {nats}, how much less likely that makes the {target}.',
      'This shows what the model used for this target. It does not show that the target is right, and dimming a word is not the same as deleting it.',
    ],
    own: (target: string, share: string) => `The model itself says ‘${target}’, with a probability of ${share}.`,
    notOwn: (target: string, share: string, said: string) =>
      `The model gives ‘${target}’ only ${share}; it would say ${said}. The colours explain your target anyway: they do not say that it is right.`,
    notOwnEnd: (target: string, share: string) =>
      `The model gives ‘${target}’ only ${share}; it would end the text. The colours explain your target anyway: they do not say that it is right.`,
    top: (word: string, before: string, after: string) =>
      `Dimming ${word} changes the probability of the target from ${before} to ${after}.`,
    weak: 'No single word matters much here.',
    sign: (word: string, dimmed: string, deleted: string) =>
      `Dimming and deleting disagree about ${word}: ${dimmed} nats dimmed, ${deleted} nats deleted.`,
    size: (word: string, dimmed: string, deleted: string) =>
      `Dimming and deleting agree in sign for these words, but not in size: ${word} scores ${dimmed} nats dimmed and ${deleted} nats deleted.`,
    alike: 'Dimming and deleting agree about these words. They do not always agree: try another text.',
    table: 'The strongest words, dimmed and deleted',
    word: 'Word',
    dimmed: 'Dimmed, nats',
    deleted: 'Deleted, nats',
    rival: (target: string) => `Explain ‘${target}’ instead`,
    original: (target: string) => `Explain ‘${target}’ again`,
  },
  granularity: {
    title: 'Granularity: words or sentences, and when the sign flips',
    short: 'Granularity',
    text: [
      'The {prompt} is split into {sections}, and each is dimmed as a whole. You choose the {granularity}: words show more, sentences are faster and easier to read.',
      'A larger section hides more. Dimmed as a whole, it can even get the opposite sign of its words or of its deletion. Where that happens, do not trust the sign.',
    ],
    byWord: 'By word',
    bySentence: 'By sentence',
    table: 'The same sentence by three measures, in nats',
    sentence: 'Sentence',
    whole: 'Dimmed as a whole',
    words: 'Sum of its words',
    deleted: 'Deleted',
    turnedByDeletion: (sentence: string, whole: string, deleted: string) =>
      `The sign flips here: ${sentence} scores ${whole} nats when it is dimmed as a whole, but ${deleted} nats when it is deleted. Above 0 supports the target, below 0 opposes it.`,
    turnedByWords: (sentence: string, whole: string, words: string) =>
      `The sign flips here: ${sentence} scores ${whole} nats as a whole, but its words add up to ${words} nats.`,
    straight: 'No sign flips in this text: each sentence that matters agrees with its words and with its deletion.',
    finer: (word: string, sentence: string) =>
      `The strongest sentence is ${sentence}. Only the words show which part of it matters most: ${word}.`,
    elsewhere: (word: string, sentence: string) =>
      `The strongest sentence is ${sentence}, but the strongest word, ${word}, is in another one.`,
  },
  sinks: {
    title: 'Attention sinks: a first word that is no reason',
    short: 'Attention sinks',
    text: [
      'The shares of attention always add up to 1. Where a {token} needs nothing from the others, many models send its attention to the first position: an attention sink. Dimming that word changes every {probability}, whatever the word says.',
      'Such a word can have the highest {score} for any {target}, and most tools show it as a reason. Deleting it is the control: then another word is the first. The Explain page makes this check before it names a first word.',
    ],
    table: 'What each later token loses on average, in nats',
    word: 'Word',
    dimmed: 'Word dimmed to a tenth',
    deleted: 'Word deleted',
    found: (word: string, dimmed: string, deleted: string) =>
      `‘${word}’ is an attention sink: each later token loses ${dimmed} nats on average when it is dimmed, but only ${deleted} nats when it is deleted.`,
    none: 'None of these words is an attention sink: dimming one costs later tokens little, or about as much as deleting it. Larger models often have one; add one on the Models page and try it here.',
    tooShort: 'Enter a text of more than three words.',
  },
  layers: {
    title: 'Layers: how similar texts are inside the model',
    short: 'Layers',
    text: [
      'After each of its {layers} the model has numbers for every {token}. Their mean represents the whole text, and the {cosine} says how similar two texts are at that layer.',
      'Similar texts need not say the same. Texts that share most of their words are similar, even if a “not” in one of them reverses its meaning.',
    ],
    open: 'Open on the Inside page',
  },
  limits: {
    title: 'How explanations mislead',
    short: 'Limits',
    text: [
      'An explanation is about a {target}. It does not say that the target is true, that the model would say it, or that the model has understood anything.',
      'Here are three texts on which this small model fails. In each, the target is the right answer. Look at the answer of the model before you look at the colours.',
    ],
    cases: 'Where it fails',
    names: { negation: 'Negation', sentiment: 'Sentiment', knowledge: 'Knowledge' },
    about: {
      negation: 'The answer depends on the word “not”.',
      sentiment: 'The answer is not in the review. The model must judge what the review says.',
      knowledge: 'The answer is not in the prompt. The model must know it.',
    },
    definite: (word: string, nats: string) =>
      `The colours still show a strongest word: ${word} (${nats} nats). They do not show that the model would not say the target.`,
    noFailure: (word: string, nats: string) =>
      `Here the model does say the target. The strongest word is ${word} (${nats} nats).`,
  },
  class: {
    examples: {
      short: 'Twelve examples',
      title: 'Twelve examples for a class',
      text: 'Each example opens on the Explain page, where you can change it. The notes were checked with the model of this app.',
      explain: 'Explain',
      target: 'Target',
    },
    teacher: {
      short: 'For teachers',
      title: 'A link for a class',
      text: 'Choose examples, add questions of your own, and send the link. It opens this page with your set.',
      setTitle: 'Title',
      choose: 'Examples',
      own: 'Your own questions',
      ownNumber: (number: string) => `Question ${number}`,
      add: 'Add a question',
      remove: (number: string) => `Remove question ${number}`,
      undo: 'Undo',
      agree: 'Include my title and my own questions',
      privacy:
        'The link includes the title and your own questions only if you agree: anyone who has the link, and any program that handles it, can read them.',
      left: (count: string) => `${count} not in the link.`,
      questions: { one: 'of your questions is', other: 'of your questions are' },
      empty: 'Choose an example or add a question.',
      copy: 'Copy link',
      link: 'Link',
    },
    set: {
      short: 'Your set',
      title: 'A set for your class',
      none: 'No set is open. A link from a teacher opens one here.',
      unreadable:
        'This link cannot be read: it is damaged, incomplete or of another version. Ask for the link again and copy all of it.',
      own: (number: string) => `Question ${number}`,
      sent: (host: string) => `Models at ${host} are sent the questions that they explain.`,
      note: 'Questions are explained by the model in this tab. Nothing is sent.',
    },
    list: {
      copy: {
        title: 'A name is copied',
        shows: 'The model answers with the name from the prompt. That name is the strongest word.',
      },
      choice: {
        title: 'The question chooses',
        shows: 'Two people, two cities. The right city is the strongest word, and the question counts too.',
      },
      rival: {
        title: 'A wrong target is explained too',
        shows: 'The same prompt with the other city. The model does not say it, but the colours explain it anyway.',
      },
      phrase: {
        title: 'An answer of several words',
        shows: 'The answer is four words long. Each has its own reasons: choose one of them above the heat map.',
      },
      redundant: {
        title: 'A sure answer with small scores',
        shows: 'The model is sure of its answer, but dimming the strongest word makes it only a few times less likely.',
      },
      digits: { title: 'A time of day', shows: 'The time consists of several tokens. Even its colon counts.' },
      'not-simple': {
        title: 'A “not” with the right answer',
        shows: 'The model names the stop at which the bus does stop. Is that because of the “not”? Look at its score.',
      },
      'not-hard': {
        title: 'A “not” with the wrong answer',
        shows: 'The model names the one who came. The colours of the right answer do not show that.',
      },
      'wrong-name': {
        title: 'The wrong winner',
        shows: 'The model names the wrong team. For the right one the heat map looks convincing.',
      },
      knowledge: {
        title: 'What the model does not know',
        shows: 'The answer is not in the prompt, and this small model does not know it.',
      },
      sentiment: {
        title: 'A wrong judgement',
        shows: 'The review praises the film, and the model calls it negative.',
      },
      sentences: {
        title: 'A sign that flips',
        shows: 'Split by sentence, the first sentence opposes the answer. Split by word, its words support it.',
      },
    },
  },
});
