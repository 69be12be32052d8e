import type { Translation } from '../translation.ts';

/** See `LEARN`. */
export const LEARN_DE: Translation['learn'] = {
  title: 'Lernen',
  claim: 'Fünf kurze Lektionen an lebenden Beispielen. Ändern Sie einen Text und sehen Sie, was geschieht.',
  lessons: 'Lektionen',
  lesson: (number) => `Lektion ${number}`,
  live: {
    run: 'Ausführen',
    cancel: 'Abbrechen',
    running: 'Das Modell rechnet',
    stale: 'Der Text hat sich geändert. Führen Sie ihn erneut aus, um zu sehen, was für ihn gilt.',
    reset: 'Zurück zum Beispiel',
    failed: 'Das ging nicht:',
    text: 'Text',
    prompt: 'Prompt',
    target: 'Ziel',
    targetSpace: 'Beginnt mit einem Leerzeichen: Das Ziel setzt den Prompt fort.',
    missing: 'Geben Sie einen Text ein.',
    notice: 'Was Sie sehen',
    open: 'Auf der Seite „Erklären“ öffnen',
    waiting: 'Hier erscheint das Ergebnis.',
  },
  tokens: {
    title: 'Tokens: was das Modell liest',
    short: 'Tokens',
    text: [
      'Ein Modell liest keine Buchstaben und keine Wörter. Es liest {tokens}: eines für ein häufiges Wort, mehrere für ein seltenes.',
      'Auch beim Schreiben entstehen Tokens. Für jedes Token, das es kennt, berechnet es eine {probability}, schreibt eines und beginnt von vorn.',
    ],
    read: 'Was es liest',
    written: 'Was es als Nächstes schriebe, Token für Token',
    writtenNothing: 'Es würde den Text hier beenden.',
    counts: (words, tokens) => `${words}, ${tokens}.`,
    words: { one: 'Wort', other: 'Wörter' },
    tokens: { one: 'Token', other: 'Tokens' },
    split: (word, pieces, count) => `„${word}“ wird als ${count} gelesen: ${pieces}.`,
    whole: 'Jedes Wort dieses Textes ist ein Token. Versuchen Sie einen langen Namen, eine Zahl oder ein Emoji.',
    first: (token, share) =>
      `Das wahrscheinlichste nächste Token ist „${token}“ mit ${share}. Alle anderen teilen sich den Rest.`,
    tokensOf: (word) => `Tokens von „${word}“`,
  },
  attention: {
    title: 'Aufmerksamkeit: was Abschwächen zeigt und was nicht',
    short: 'Aufmerksamkeit',
    text: [
      'Jedes Wort im {prompt} wird der Reihe nach abgeschwächt: Das Modell beachtet es nur noch zu einem Zehntel. Der {score} sagt in {nats}, wie viel unwahrscheinlicher das {target} dann wird.',
      'Das zeigt, was das Modell für dieses Ziel benutzt hat. Es zeigt nicht, dass das Ziel stimmt, und ein Wort abzuschwächen ist etwas anderes, als es zu löschen.',
    ],
    own: (target, share) => `„${target}“ sagt das Modell selbst, mit ${share}.`,
    notOwn: (target, share, said) =>
      `Das Modell gibt „${target}“ nur ${share}; es selbst sagt ${said}. Die Farben erklären Ihr Ziel trotzdem: Sie sagen nicht, dass es stimmt.`,
    notOwnEnd: (target, share) =>
      `Das Modell gibt „${target}“ nur ${share}; es selbst beendet den Text. Die Farben erklären Ihr Ziel trotzdem: Sie sagen nicht, dass es stimmt.`,
    top: (word, before, after) =>
      `Wird ${word} abgeschwächt, geht die Wahrscheinlichkeit des Ziels von ${before} auf ${after}.`,
    weak: 'Kein einzelnes Wort zählt hier viel.',
    sign: (word, dimmed, deleted) =>
      `Abschwächen und Löschen widersprechen sich bei ${word}: ${dimmed} Nats abgeschwächt, ${deleted} Nats gelöscht.`,
    size: (word, dimmed, deleted) =>
      `Abschwächen und Löschen stimmen bei diesen Wörtern im Vorzeichen überein, aber nicht in der Größe: ${word} zählt ${dimmed} Nats abgeschwächt und ${deleted} Nats gelöscht.`,
    alike:
      'Abschwächen und Löschen stimmen bei diesen Wörtern überein. Das muss nicht so sein: Versuchen Sie einen anderen Text.',
    table: 'Die stärksten Wörter, abgeschwächt und gelöscht',
    word: 'Wort',
    dimmed: 'Abgeschwächt, Nats',
    deleted: 'Gelöscht, Nats',
    rival: (target) => `Stattdessen „${target}“ erklären`,
    original: (target) => `Wieder „${target}“ erklären`,
  },
  granularity: {
    title: 'Körnung: Wörter oder Sätze, und wann sich das Vorzeichen dreht',
    short: 'Körnung',
    text: [
      'Der {prompt} wird in {sections} geteilt, und jeder wird als Ganzes abgeschwächt. Die {granularity} wählen Sie: Wörter zeigen mehr, Sätze gehen schneller und lesen sich leichter.',
      'Je größer ein Abschnitt, desto mehr verbirgt er. Als Ganzes abgeschwächt kann er sogar das andere Vorzeichen haben als seine Wörter oder als seine Löschung. Wo das geschieht, trauen Sie dem Vorzeichen nicht.',
    ],
    byWord: 'Nach Wörtern',
    bySentence: 'Nach Sätzen',
    table: 'Derselbe Satz nach drei Maßen, in Nats',
    sentence: 'Satz',
    whole: 'Als Ganzes abgeschwächt',
    words: 'Summe seiner Wörter',
    deleted: 'Gelöscht',
    turnedByDeletion: (sentence, whole, deleted) =>
      `Hier dreht sich das Vorzeichen: ${sentence} hat als Ganzes abgeschwächt ${whole} Nats, gelöscht aber ${deleted} Nats. Über 0 stützt das Ziel, unter 0 spricht dagegen.`,
    turnedByWords: (sentence, whole, words) =>
      `Hier dreht sich das Vorzeichen: ${sentence} hat als Ganzes ${whole} Nats, seine Wörter zusammen aber ${words} Nats.`,
    straight:
      'In diesem Text dreht sich kein Vorzeichen: Jeder Satz, der zählt, stimmt mit seinen Wörtern und mit seiner Löschung überein.',
    finer: (word, sentence) =>
      `Der stärkste Satz ist ${sentence}. Erst die Wörter zeigen, welcher Teil davon am meisten zählt: ${word}.`,
    elsewhere: (word, sentence) =>
      `Der stärkste Satz ist ${sentence}, das stärkste Wort aber, ${word}, steht in einem anderen.`,
  },
};
