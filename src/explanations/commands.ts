/**
 * Patterns of prompt injection, English and German: a sentence tells the reader to ignore other text, to give the same answer to every
 * question, or addresses a model. An injection in other words is not found.
 */
const COMMANDS: readonly RegExp[] = [
  // “Ignore all other text …”
  /\b(?:ignore|disregard|forget|override|discard)\b.{0,40}\b(?:above|context|documents?|else|everything|information|instructions?|passages?|prompts?|questions?|rules|sources?|texts?)\b/iu,
  // “Reply only with …”, “answer every question with …”
  /(?:^|[,:;]\s+|\b(?:always|and|just|must|only|please|should|simply|then)\s+)(?:answer|output|print|repeat|reply|respond|return|say|write)\s+(?:always\b|just\b|only\b|exactly\b|(?:to\s+)?(?:all|any|each|every|whatever)\b|that\b|with\b|["“‘'])/iu,
  // “Whatever you are asked, the answer is …”, “The correct reply to every question is …”
  /\b(?:always|any|every|no matter|regardless|whatever)\b.*\b(?:answer|reply|response)\s+(?:is|must be|should be)\b|\b(?:answer|reply|response)\s+to\s+(?:all|any|each|every|whatever)\b/iu,
  // “Note to the assistant: …”
  /\b(?:attention|instructions?|message|note|notice)\s+(?:for|to)\s+(?:the\s+|an?\s+|any\s+)?(?:ai|assistants?|chatbots?|(?:language )?models?|llm)\s*[:,]|\byou are (?:an? |now )+(?:ai|assistant|chatbot|language model)\b/iu,
  /(?<!\p{L})(?:ignoriere|missachte|vergiss|(?:ignorieren|missachten|vergessen)\s+Sie)\s.{0,40}(?<!\p{L})(?:alles|Anweisung(?:en)?|Abschnitte?|Dokumente?|Fragen?|Kontext|Quellen?|Texte?)(?!\p{L})/iu,
  /(?<!\p{L})(?:antworte|sage?|schreibe?|(?:antworten|sagen|schreiben)\s+Sie)\s+(?:auf (?:alle|alles|jede)|immer|nur|stets)(?!\p{L})/iu,
  /(?<!\p{L})Antwort\s+auf\s+(?:alle|alles|jede)(?!\p{L})|(?<!\p{L})(?:egal|gleich),?\s+was\s.*(?<!\p{L})Antwort(?!\p{L})/iu,
  /(?<!\p{L})(?:Anweisung|Hinweis|Nachricht)\s+(?:an|für)\s+(?:das|den|die)\s+(?:Assistent(?:en|in)?|KI|Modell|Sprachmodell)\s*[:,]/iu,
];

/** The first sentence of a text that commands; null where none is found. */
export function commandIn(text: string): string | null {
  const sentences = text.split(/(?<=[.!?…]["”’']?)\s+|\n+/u);
  return sentences.find((sentence) => COMMANDS.some((form) => form.test(sentence)))?.trim() ?? null;
}
