/** How questions that can be answered by yes or no begin. @source Quirk et al., A Comprehensive Grammar of the English Language, 11.5 */
const BEGINNING =
  /^(?:(?:and|but|or|so),?\s+)?(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would)(?:n[’']t)?\s/i;

/** Questions with one of these ask for something else: "Is it A or B?", "Can you say who signed?". */
const ASKS_FOR_MORE = /\b(?:or|who|whom|whose|what|when|where|which|why|how)\b/i;

/** Whether an English question asks for yes or no, which no words of a document say: the sentence decides. */
export function asksYesNo(question: string): boolean {
  const text = question.trim();
  return BEGINNING.test(text) && !ASKS_FOR_MORE.test(text.replace(BEGINNING, ''));
}
