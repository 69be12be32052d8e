import type { Evaluation } from './evaluation.ts';
import { atmanEvaluation, atmanSettingsEvaluation } from './sets/atman.ts';
import { budgetEvaluation } from './sets/budget/words.ts';
import { pictureBudgetEvaluation } from './sets/budget/pictures.ts';
import { captionsEvaluation } from './sets/captions.ts';
import { citationsEvaluation } from './sets/citations.ts';
import { contractQuestionsEvaluation } from './sets/contract-questions.ts';
import { deletionEvaluation } from './sets/deletion.ts';
import { everydayEvaluation } from './sets/everyday.ts';
import { faithfulnessEvaluation } from './sets/faithfulness.ts';
import { marginLengthsEvaluation, marginsEvaluation } from './sets/budget/margins.ts';
import { methodsEvaluation } from './sets/methods.ts';
import { meaningSearchEvaluation } from './sets/meaning-search.ts';
import { newcomersEvaluation } from './sets/newcomers.ts';
import { perplexityEvaluation } from './sets/perplexity.ts';
import { pictureAtmanEvaluation } from './sets/picture-atman.ts';
import { pictureQuestionsEvaluation } from './sets/picture-questions.ts';
import { intentsEvaluation } from './sets/intents.ts';
import { answerableEvaluation, readingEvaluation } from './sets/reading.ts';
import { retrievalEvaluation } from './sets/retrieval.ts';
import { storyBudgetEvaluation } from './sets/budget/stories.ts';
import { steeringEvaluation } from './sets/steering.ts';
import { stsEvaluation } from './sets/sts.ts';
import { weakMatchesEvaluation } from './sets/weak-matches.ts';

/** All evaluations, in the order in which they run. */
export const EVALUATIONS: readonly Evaluation[] = [
  stsEvaluation,
  retrievalEvaluation,
  meaningSearchEvaluation,
  weakMatchesEvaluation,
  intentsEvaluation,
  readingEvaluation,
  answerableEvaluation,
  contractQuestionsEvaluation,
  perplexityEvaluation,
  everydayEvaluation,
  newcomersEvaluation,
  steeringEvaluation,
  atmanEvaluation,
  atmanSettingsEvaluation,
  deletionEvaluation,
  faithfulnessEvaluation,
  methodsEvaluation,
  citationsEvaluation,
  budgetEvaluation,
  pictureBudgetEvaluation,
  storyBudgetEvaluation,
  marginsEvaluation,
  marginLengthsEvaluation,
  captionsEvaluation,
  pictureQuestionsEvaluation,
  pictureAtmanEvaluation,
];
