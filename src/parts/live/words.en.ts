import { wordsFor } from '../../words/language.ts';

/** Terms that are explained where they stand in a sentence; the same as in `docs/glossary.md`. */
export const glossaryWords = wordsFor('glossary', {
  /** What a term looks like in a sentence, by the name that the sentence has in braces. */
  forms: {
    cosine: 'cosine',
    factor: 'factor',
    granularity: 'granularity',
    hiddenState: 'hidden state',
    hiddenStates: 'hidden states',
    layer: 'layer',
    layers: 'layers',
    logit: 'logit',
    logits: 'logits',
    nats: 'nats',
    pooling: 'pooling',
    probability: 'probability',
    prompt: 'prompt',
    score: 'score',
    scores: 'scores',
    section: 'section',
    sections: 'sections',
    target: 'target',
    token: 'token',
    tokens: 'tokens',
  },
  meanings: {
    cosine: 'How alike two directions are: 1 for the same direction, 0 for nothing in common, −1 for opposite.',
    factor:
      'What the attention to a part is multiplied by: below 1 dims it, 1 changes nothing, above 1 strengthens it.',
    granularity: 'What the parts are: tokens, words, sentences or paragraphs.',
    'hidden states': 'The numbers that stand for each token after a layer. Layer 0 is the word embeddings.',
    layer: 'A step of the network. Each one changes the numbers of every token, based on the tokens before it.',
    logit: 'The network’s raw number for a possible next token. The larger it is, the likelier the token.',
    nats: 'The unit of scores. A change of 0.7 nats makes something twice as likely or half as likely, 2.3 nats ten times.',
    pooling: 'How the numbers of all tokens become one list: their mean, their largest, or those of the last token.',
    probability: 'How likely the model considers something, from 0 to 100 %.',
    prompt: 'The text that the model reads.',
    score:
      'How much the target loses when a part is dimmed, in nats. Above 0 the part supports the target, below 0 it opposes it.',
    section: 'A part of the prompt that is dimmed as a whole.',
    target: 'The text after the prompt whose likelihood is explained.',
    token: 'The unit that a model reads and writes: a word or a piece of one.',
  },
});

/** A live example: a text that is edited and run. */
export const liveWords = wordsFor('live', {
  run: 'Run',
  cancel: 'Cancel',
  running: 'The model is working',
  loaded: (model: string, address: string) =>
    `This page uses ${model} and sends nothing to ${address}: that server tells only how likely texts are.`,
  stale: 'The text has changed. Run again to see what holds for it.',
  reset: 'Back to the example',
  undo: 'Undo',
  failed: 'This did not work:',
  text: 'Text',
  prompt: 'Prompt',
  target: 'Target',
  targetSpace: 'Starts with a space: the target continues the prompt.',
  missing: 'Enter a text.',
  notice: 'What to notice',
  open: 'Open on the Explain page',
  waiting: 'The result appears here.',
});
