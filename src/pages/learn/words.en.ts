import { wordsFor } from '../../words/language.ts';

/** The Learn page: lessons on live examples. Names in braces are terms of the glossary. */
export const learnWords = wordsFor('learn', {
  title: 'Learn',
  claim: 'Five short lessons on live examples. Change a text and see what happens.',
  lessons: 'Lessons',
  lesson: (number: string) => `Lesson ${number}`,

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
  layers: {
    title: 'Layers: how alike texts are inside the model',
    short: 'Layers',
    text: [
      'After each of its {layers} the model has numbers for every {token}. Their mean stands for the whole text, and the {cosine} says how alike two texts are there.',
      'Alike does not mean that two texts say the same. Texts that share most of their words are alike, even if a “not” in one of them reverses its meaning.',
    ],
    open: 'Open on the Inside page',
  },
  limits: {
    title: 'How explanations mislead',
    short: 'Limits',
    text: [
      'An explanation is about a {target}. It does not say that the target is true, that the model would say it, or that the model has understood anything.',
      'Here are three texts on which this small model fails. In each, the target is the right answer. Look at what the model says itself before you look at the colours.',
    ],
    cases: 'Where it fails',
    names: { negation: 'Negation', sentiment: 'Feeling', knowledge: 'Knowledge' },
    about: {
      negation: 'The answer hangs on the word “not”.',
      sentiment: 'The answer is no word of the review; one must judge what it says.',
      knowledge: 'The answer does not stand in the prompt; one must know it.',
    },
    definite: (word: string, nats: string) =>
      `The colours name a strongest word all the same: ${word} (${nats} nats). They do not tell that the model does not say the target.`,
    noFailure: (word: string, nats: string) =>
      `So here the model says the target. The strongest word is ${word} (${nats} nats).`,
  },
  class: {
    examples: {
      short: 'Twelve examples',
      title: 'Twelve examples for a class',
      text: 'Each opens on the Explain page, where it can be changed. What it shows was checked with the model of this app.',
      explain: 'Explain',
      target: 'Target',
    },
    teacher: {
      short: 'For teachers',
      title: 'A link for a class',
      text: 'Put a set of examples together, add questions of your own, and send the link. It opens this page with your set.',
      setTitle: 'Title',
      choose: 'Examples',
      own: 'Your own questions',
      ownNumber: (number: string) => `Question ${number}`,
      add: 'Add a question',
      remove: (number: string) => `Remove question ${number}`,
      undo: 'Undo',
      agree: 'Include my title and my own questions',
      privacy:
        'The link holds title and own questions only if you add them: anyone who has the link, and any program that handles it, can read them.',
      left: (count: string) => `${count} not in the link.`,
      questions: { one: 'own question is', other: 'own questions are' },
      empty: 'Choose an example or add a question.',
      copy: 'Copy link',
      link: 'Link',
    },
    set: {
      short: 'Your set',
      title: 'A set for your class',
      none: 'No set is open. A link from a teacher opens one here.',
      unreadable:
        'This link cannot be read: it is damaged, incomplete or of another version. Ask for it again, and copy it whole.',
      own: (number: string) => `Question ${number}`,
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
        shows:
          'The same prompt with the other city. The model does not say it, and the colours explain it all the same.',
      },
      phrase: {
        title: 'An answer of several words',
        shows: 'The answer is four words long. Each has its own reasons: choose one of them above the heat map.',
      },
      redundant: {
        title: 'Sure, and yet small scores',
        shows: 'The model is sure of its answer, but dimming the strongest word makes it only a few times less likely.',
      },
      digits: { title: 'A time of day', shows: 'The time consists of several tokens. Even its colon counts.' },
      'not-simple': {
        title: 'A “not” that goes well',
        shows: 'The model answers with the stop that the bus has. Is that because of the “not”? Look at its score.',
      },
      'not-hard': {
        title: 'A “not” that goes wrong',
        shows: 'The model names the one who came. The colours of the right answer do not tell you.',
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
        title: 'A judgement that goes wrong',
        shows: 'The review praises the film, and the model calls it negative.',
      },
      sentences: {
        title: 'A sign that turns',
        shows: 'Cut by sentence, the first sentence speaks against the answer. Cut by word, its words speak for it.',
      },
    },
  },
});
