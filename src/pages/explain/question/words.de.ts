import type { promptWords, questionSettingsWords } from './words.en.ts';
import { countText, type Plural } from '../../../words/language.ts';

const TOKENS: Plural = { one: 'Token', other: 'Token' };
const CHARACTERS: Plural = { one: 'Zeichen', other: 'Zeichen' };

const PROMPT_DE: ReturnType<typeof promptWords> = {
  title: 'Erklären',
  claim: 'Fragen Sie das Modell, und sehen Sie, welche Wörter des Prompts zu seiner Antwort führen.',
  question: 'Frage',
  linkUnreadable: (characters) =>
    `Dieser Link ist nicht lesbar: Er ist unvollständig oder beschädigt, oder ein Text darin hat mehr als ${characters} Zeichen. Kopieren Sie ihn noch einmal ganz.`,
  examples: {
    label: 'Beispiele',
    lead: 'Beispiele:',
    names: {
      table: 'Ein Tisch für zwei',
      birthplace: 'Wo wurde Marta geboren?',
      key: 'Der silberne Schlüssel',
      star: 'Wo ist der Stern?',
    },
    undo: 'Rückgängig',
  },
  prompt: { label: 'Prompt', placeholder: 'Eine Frage oder der Anfang eines Textes' },
  target: {
    label: 'Ziel',
    placeholder: 'Leer: die eigene Antwort des Modells',
    fold: 'Einen anderen Text als die Antwort des Modells erklären',
  },
  length: {
    empty: 'leer',
    picture: (tokens) => `ein Bild, ${countText(tokens, TOKENS)}`,
    text: (characters, tokens) => `${countText(characters, CHARACTERS)}, etwa ${countText(tokens, TOKENS)}`,
    both: (characters, tokens) =>
      `ein Bild und ${countText(characters, CHARACTERS)}, etwa ${countText(tokens, TOKENS)}`,
    tooLong: (tokens, most) => `Prompt und Ziel haben etwa ${tokens} Token; dieses Modell liest bis zu ${most}.`,
    shorten: 'Auf sein Ende kürzen',
    documents: 'In „Dokumente“ öffnen',
    slow: 'Ein so langer Prompt braucht etwas Zeit:',
    bySentence: 'Nach Sätzen teilen',
    quick: 'Kleine Werte schätzen',
    requests: (requests, host, tokens, cost) =>
      `Eine Erklärung sendet etwa ${requests} Anfragen mit ${tokens} Token an ${host}${cost === null ? '' : `, die etwa ${cost} kosten`}.`,
  },
  picture: {
    add: '{button} oder hier einfügen oder ablegen',
    addButton: 'Bild hinzufügen …',
    anotherButton: 'Anderes Bild …',
    about: 'Das Modell liest es zuerst, dann den Text. Es sieht das Quadrat in der Mitte.',
    remove: 'Bild entfernen',
    wrongType: (type) => `Hier passt eine PNG-, JPEG- oder WebP-Datei; diese ist vom Typ ${type}.`,
    unknownType: 'Hier passt eine PNG-, JPEG- oder WebP-Datei; der Typ dieser Datei ist unbekannt.',
    undecodable: (name) => `„${name}“ kann nicht als Bild gelesen werden.`,
  },
  drop: {
    several: 'Legen Sie nur eine Datei auf einmal ab.',
    noPictures: (model) => `Das Modell ${model} liest keine Bilder.`,
    tooLarge: (name, most) => `„${name}“ ist zu groß: Der Prompt nimmt höchstens ${most} Zeichen auf einmal an.`,
    noText: (name) => `„${name}“ ist weder Text noch Bild: In den Prompt passen Text, PNG, JPEG und WebP.`,
  },
  run: {
    explain: 'Fragen',
    cancel: 'Abbrechen',
    missing: {
      prompt: 'Geben Sie einen Prompt ein.',
      delimiter: 'Geben Sie ein Trennzeichen ein.',
    },
    share: 'Erklärung',
    sections: (done, total) => `${done} von ${total} Abschnitten`,
    waiting: (state) => `Warten auf das Modell: ${state}`,
    starting: 'Start',
    spokenStart: 'Die Erklärung beginnt',
    spokenShare: (percent) => `${percent} Prozent erklärt`,
  },
  comparisonFailed: 'Dieser Teil konnte nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
  result: {
    label: 'Ergebnis',
    failed: 'Das Ergebnis konnte nicht angezeigt werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
    stopped: 'Vor dem ersten Ergebnis abgebrochen.',
    lead: (target) => `Was bringt das Modell zu „${target}“?`,
    leadToAnswer: 'Was antwortet das Modell, und warum?',
    writes: 'Das Modell schreibt',
    steps: [
      'Das Modell liest den Prompt und schreibt seine Antwort.',
      'Dann wird ein Teil des Prompts nach dem anderen gedämpft: Das Modell schenkt ihm weniger Aufmerksamkeit.',
      'Je unwahrscheinlicher die Antwort ohne einen Teil wird, desto mehr führt er zu ihr.',
    ],
    deletes: (place) => `Dann wird ein Teil des Prompts nach dem anderen gelöscht. All das wird an ${place} gesendet.`,
  },
};

const QUESTION_SETTINGS_DE: ReturnType<typeof questionSettingsWords> = {
  granularities: {
    auto: 'Auto',
    token: 'Token',
    word: 'Wort',
    sentence: 'Satz',
    paragraph: 'Absatz',
    custom: 'Eigene',
  },
  autoHint: 'Wählt die Teilung, die 30 Teilen am nächsten kommt.',
  delimiterExample: 'zum Beispiel ### oder \\n',
  marks: { none: '0 = ignoriert', one: '1 = unverändert' },
  more: 'Weitere Einstellungen',
  moreFailed:
    'Die Einstellungen konnten nicht geladen werden. Laden Sie die Seite neu, um es noch einmal zu versuchen.',
};

/** The German texts of this folder, by part. */
export const german = {
  'explain/prompt': PROMPT_DE,
  'explain/settings': QUESTION_SETTINGS_DE,
};
