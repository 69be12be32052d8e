import type { learnWords } from './words.en.ts';

const LEARN_DE: ReturnType<typeof learnWords> = {
  title: 'Lernen',
  claim: 'Sechs kurze Lektionen zum Ausprobieren. Ändern Sie einen Text und sehen Sie, was geschieht.',
  lessons: 'Lektionen',
  lesson: (number) => `Lektion ${number}`,

  tokens: {
    title: 'Token: was das Modell liest',
    short: 'Token',
    text: [
      'Ein Modell liest keine Buchstaben und keine Wörter. Es liest {tokens}: eines für ein häufiges Wort, mehrere für ein seltenes.',
      'Auch beim Schreiben entstehen Token. Für jedes Token, das es kennt, berechnet es eine {probability}, schreibt eines und beginnt von vorn.',
    ],
    read: 'Was es liest',
    written: 'Was es als Nächstes schriebe, Token für Token',
    writtenNothing: 'Es würde den Text hier beenden.',
    counts: (words, tokens) => `${words}, ${tokens}.`,
    words: { one: 'Wort', other: 'Wörter' },
    tokens: { one: 'Token', other: 'Token' },
    split: (word, pieces, count) => `„${word}“ wird als ${count} gelesen: ${pieces}.`,
    whole: 'Jedes Wort dieses Textes ist ein Token. Versuchen Sie einen langen Namen, eine Zahl oder ein Emoji.',
    first: (token, share) =>
      `Das wahrscheinlichste nächste Token ist „${token}“ mit ${share}. Alle anderen teilen sich den Rest.`,
    tokensOf: (word) => `Token von „${word}“`,
  },
  attention: {
    title: 'Aufmerksamkeit: was Dämpfen zeigt und was nicht',
    short: 'Aufmerksamkeit',
    text: [
      'Jedes Wort im {prompt} wird der Reihe nach gedämpft: Das Modell beachtet es nur noch zu einem Zehntel. Der {score} sagt in {nats}, wie viel unwahrscheinlicher das {target} dann wird.',
      'Das zeigt, was das Modell für dieses Ziel benutzt hat. Es zeigt nicht, dass das Ziel stimmt, und ein Wort zu dämpfen ist etwas anderes, als es zu löschen.',
    ],
    own: (target, share) => `Das Modell selbst sagt „${target}“, mit einer Wahrscheinlichkeit von ${share}.`,
    notOwn: (target, share, said) =>
      `Das Modell gibt „${target}“ nur ${share}; es würde ${said} sagen. Die Farben erklären trotzdem Ihr Ziel: Sie sagen nicht, dass es stimmt.`,
    notOwnEnd: (target, share) =>
      `Das Modell gibt „${target}“ nur ${share}; es würde den Text beenden. Die Farben erklären trotzdem Ihr Ziel: Sie sagen nicht, dass es stimmt.`,
    top: (word, before, after) =>
      `Wird ${word} gedämpft, ändert sich die Wahrscheinlichkeit des Ziels von ${before} auf ${after}.`,
    weak: 'Kein einzelnes Wort zählt hier viel.',
    sign: (word, dimmed, deleted) =>
      `Dämpfen und Löschen widersprechen sich bei ${word}: ${dimmed} Nats gedämpft, ${deleted} Nats gelöscht.`,
    size: (word, dimmed, deleted) =>
      `Dämpfen und Löschen stimmen bei diesen Wörtern im Vorzeichen überein, aber nicht in der Größe: ${word} hat gedämpft ${dimmed} Nats und gelöscht ${deleted} Nats.`,
    alike:
      'Dämpfen und Löschen stimmen bei diesen Wörtern überein. Das ist nicht immer so: Versuchen Sie einen anderen Text.',
    table: 'Die stärksten Wörter, gedämpft und gelöscht',
    word: 'Wort',
    dimmed: 'Gedämpft, Nats',
    deleted: 'Gelöscht, Nats',
    rival: (target) => `Stattdessen „${target}“ erklären`,
    original: (target) => `Wieder „${target}“ erklären`,
  },
  granularity: {
    title: 'Körnung: Wörter oder Sätze, und wann das Vorzeichen wechselt',
    short: 'Körnung',
    text: [
      'Der {prompt} wird in {sections} geteilt, und jeder wird als Ganzes gedämpft. Sie wählen die {granularity}: Wörter zeigen mehr, Sätze sind schneller berechnet und leichter zu lesen.',
      'Je größer ein Abschnitt ist, desto mehr verbirgt er. Als Ganzes gedämpft, kann er sogar ein anderes Vorzeichen haben als seine Wörter oder seine Löschung. Trauen Sie dem Vorzeichen dann nicht.',
    ],
    byWord: 'Nach Wörtern',
    bySentence: 'Nach Sätzen',
    table: 'Derselbe Satz nach drei Maßen, in Nats',
    sentence: 'Satz',
    whole: 'Als Ganzes gedämpft',
    words: 'Summe seiner Wörter',
    deleted: 'Gelöscht',
    turnedByDeletion: (sentence, whole, deleted) =>
      `Hier wechselt das Vorzeichen: ${sentence} hat als Ganzes gedämpft ${whole} Nats, gelöscht aber ${deleted} Nats. Über 0 stützt das Ziel, unter 0 spricht dagegen.`,
    turnedByWords: (sentence, whole, words) =>
      `Hier wechselt das Vorzeichen: ${sentence} hat als Ganzes ${whole} Nats, seine Wörter zusammen aber ${words} Nats.`,
    straight:
      'In diesem Text wechselt kein Vorzeichen: Jeder Satz, der zählt, stimmt mit seinen Wörtern und mit seiner Löschung überein.',
    finer: (word, sentence) =>
      `Der stärkste Satz ist ${sentence}. Erst die Wörter zeigen, welcher Teil davon am meisten zählt: ${word}.`,
    elsewhere: (word, sentence) =>
      `Der stärkste Satz ist ${sentence}, das stärkste Wort aber, ${word}, steht in einem anderen.`,
  },
  sinks: {
    title: 'Attention Sinks: ein erstes Wort, das kein Grund ist',
    short: 'Attention Sinks',
    text: [
      'Die Anteile der Aufmerksamkeit ergeben zusammen immer 1. Wo ein {token} nichts von den anderen braucht, richten viele Modelle seine Aufmerksamkeit auf die erste Stelle: ein Attention Sink. Wird dieses Wort gedämpft, ändert sich jede {probability}, was auch immer das Wort sagt.',
      'So ein Wort kann für jedes {target} den höchsten {score} haben, und die meisten Werkzeuge zeigen es als Grund. Löschen ist die Kontrolle: Dann steht ein anderes Wort an erster Stelle. Die Seite „Erklären“ prüft das, bevor sie ein erstes Wort nennt.',
    ],
    table: 'Was jedes spätere Token im Mittel verliert, in Nats',
    word: 'Wort',
    dimmed: 'Auf ein Zehntel gedämpft',
    deleted: 'Gelöscht',
    found: (word, dimmed, deleted) =>
      `„${word}“ ist ein Attention Sink: Jedes spätere Token verliert im Mittel ${dimmed} Nats, wenn das Wort gedämpft wird, aber nur ${deleted} Nats, wenn es gelöscht wird.`,
    none: 'Keines dieser Wörter ist ein Attention Sink: Dämpfen kostet spätere Token wenig oder etwa so viel wie Löschen. Größere Modelle haben oft einen; fügen Sie auf der Seite „Modelle“ eines hinzu und versuchen Sie es hier.',
    tooShort: 'Geben Sie einen Text mit mehr als drei Wörtern ein.',
  },
  layers: {
    title: 'Schichten: wie ähnlich sich Texte im Modell sind',
    short: 'Schichten',
    text: [
      'Nach jeder seiner {layers} hat das Modell Zahlen für jedes {token}. Ihr Mittelwert beschreibt den ganzen Text, und der {cosine} sagt, wie ähnlich sich zwei Texte in dieser Schicht sind.',
      'Ähnliche Texte müssen nicht dasselbe sagen. Texte mit größtenteils gleichen Wörtern sind ähnlich, auch wenn ein „nicht“ die Aussage umkehrt.',
    ],
    open: 'Auf der Seite „Innen“ öffnen',
  },
  limits: {
    title: 'Wie Erklärungen täuschen',
    short: 'Grenzen',
    text: [
      'Eine Erklärung handelt von einem {target}. Sie sagt nicht, dass es stimmt, dass das Modell es sagen würde oder dass das Modell etwas verstanden hat.',
      'Hier sind drei Texte, an denen dieses kleine Modell scheitert. Das Ziel ist jeweils die richtige Antwort. Lesen Sie zuerst die Antwort des Modells und sehen Sie dann auf die Farben.',
    ],
    cases: 'Woran es scheitert',
    names: { negation: 'Verneinung', sentiment: 'Stimmung', knowledge: 'Wissen' },
    about: {
      negation: 'Die Antwort hängt vom Wort „not“ ab.',
      sentiment: 'Die Antwort steht nicht in der Kritik. Das Modell muss beurteilen, was die Kritik sagt.',
      knowledge: 'Die Antwort steht nicht im Prompt. Das Modell muss sie wissen.',
    },
    definite: (word, nats) =>
      `Die Farben zeigen trotzdem ein stärkstes Wort: ${word} (${nats} Nats). Sie zeigen nicht, dass das Modell das Ziel nicht sagen würde.`,
    noFailure: (word, nats) => `Hier sagt das Modell das Ziel. Das stärkste Wort ist ${word} (${nats} Nats).`,
  },
  class: {
    examples: {
      short: 'Zwölf Beispiele',
      title: 'Zwölf Beispiele für eine Klasse',
      text: 'Jedes Beispiel öffnet sich auf der Seite „Erklären“ und lässt sich dort ändern. Die Hinweise wurden mit dem Modell dieser App geprüft.',
      explain: 'Erklären',
      target: 'Ziel',
    },
    teacher: {
      short: 'Für Lehrende',
      title: 'Ein Link für eine Klasse',
      text: 'Wählen Sie Beispiele aus, fügen Sie eigene Fragen hinzu und verschicken Sie den Link. Er öffnet diese Seite mit Ihrer Auswahl.',
      setTitle: 'Titel',
      choose: 'Beispiele',
      own: 'Ihre eigenen Fragen',
      ownNumber: (number) => `Frage ${number}`,
      add: 'Frage hinzufügen',
      remove: (number) => `Frage ${number} entfernen`,
      undo: 'Rückgängig',
      agree: 'Meinen Titel und meine eigenen Fragen aufnehmen',
      privacy:
        'Der Link enthält den Titel und Ihre eigenen Fragen nur, wenn Sie zustimmen: Wer den Link hat, und jedes Programm, das ihn verarbeitet, kann sie lesen.',
      left: (count) => `${count} nicht im Link.`,
      questions: { one: 'Ihrer Fragen ist', other: 'Ihrer Fragen sind' },
      empty: 'Wählen Sie ein Beispiel oder fügen Sie eine Frage hinzu.',
      copy: 'Link kopieren',
      link: 'Link',
    },
    set: {
      short: 'Ihre Auswahl',
      title: 'Eine Auswahl für Ihre Klasse',
      none: 'Es ist keine Auswahl geöffnet. Ein Link von einer Lehrperson öffnet hier eine.',
      unreadable:
        'Dieser Link lässt sich nicht lesen: Er ist beschädigt, unvollständig oder von einer anderen Version. Bitten Sie noch einmal um den Link und kopieren Sie ihn vollständig.',
      own: (number) => `Frage ${number}`,
      sent: (host) => `Modelle auf ${host} erhalten die Fragen, die sie erklären.`,
      note: 'Das Modell in diesem Tab erklärt die Fragen. Nichts wird gesendet.',
    },
    list: {
      copy: {
        title: 'Ein Name wird abgeschrieben',
        shows: 'Das Modell antwortet mit dem Namen aus dem Prompt. Dieser Name ist das stärkste Wort.',
      },
      choice: {
        title: 'Die Frage wählt aus',
        shows: 'Zwei Personen, zwei Städte. Die richtige Stadt ist das stärkste Wort, und auch die Frage zählt.',
      },
      rival: {
        title: 'Auch ein falsches Ziel wird erklärt',
        shows:
          'Derselbe Prompt mit der anderen Stadt. Das Modell sagt sie nicht, und die Farben erklären sie trotzdem.',
      },
      phrase: {
        title: 'Eine Antwort aus mehreren Wörtern',
        shows: 'Die Antwort hat vier Wörter. Jedes hat eigene Gründe: Wählen Sie eines davon über der Heatmap.',
      },
      redundant: {
        title: 'Eine sichere Antwort mit kleinen Werten',
        shows:
          'Das Modell ist sich sicher, aber das stärkste Wort zu dämpfen macht die Antwort nur wenige Male unwahrscheinlicher.',
      },
      digits: { title: 'Eine Uhrzeit', shows: 'Die Uhrzeit besteht aus mehreren Token. Sogar ihr Doppelpunkt zählt.' },
      'not-simple': {
        title: 'Ein „not“ mit richtiger Antwort',
        shows: 'Das Modell nennt die Haltestelle, an der der Bus hält. Liegt das am „not“? Sehen Sie auf dessen Wert.',
      },
      'not-hard': {
        title: 'Ein „not“ mit falscher Antwort',
        shows: 'Das Modell nennt den, der gekommen ist. Die Farben der richtigen Antwort zeigen das nicht.',
      },
      'wrong-name': {
        title: 'Der falsche Sieger',
        shows: 'Das Modell nennt die falsche Mannschaft. Für die richtige sieht die Heatmap überzeugend aus.',
      },
      knowledge: {
        title: 'Was das Modell nicht weiß',
        shows: 'Die Antwort steht nicht im Prompt, und dieses kleine Modell weiß sie nicht.',
      },
      sentiment: {
        title: 'Ein falsches Urteil',
        shows: 'Die Kritik lobt den Film, und das Modell nennt sie negativ.',
      },
      sentences: {
        title: 'Ein Vorzeichen, das wechselt',
        shows:
          'Nach Sätzen geteilt, spricht der erste Satz gegen die Antwort. Nach Wörtern geteilt, sprechen seine Wörter dafür.',
      },
    },
  },
};

/** The German texts of this folder, by part. */
export const german = { learn: LEARN_DE };
