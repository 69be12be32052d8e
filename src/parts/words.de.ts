import type { engineWords, modelStatusWords, partsWords, problemWords } from './words.en.ts';

const PROBLEM_DE: ReturnType<typeof problemWords> = {
  tryAgain: 'Noch einmal versuchen',
  fields: {
    prompt: 'Prompt',
    target: 'Ziel',
    granularity: 'Prompt teilen nach',
    delimiter: 'Teilen bei',
    factor: 'Stärke der Aufmerksamkeit',
    scaling: 'Wie die Aufmerksamkeit geändert wird',
    overlap: 'Teilweise erfasste Token',
    similarity: 'Auch ähnliche Token dämpfen',
    'target-parts': 'Ziel erklären',
    model: 'Modell',
  },
  wrong: {
    enter: (label) => `Das Feld „${label}“ ist leer.`,
    noCharacter: (label) => `${label}: Geben Sie mindestens ein Zeichen ein.`,
    damagedText: (label) =>
      `${label}: Ein Zeichen ist beschädigt (ein halbes Surrogatpaar). Löschen Sie es, oder fügen Sie den Text noch einmal ein.`,
    noPictures: 'Dieses Modell liest keine Bilder. Entfernen Sie das Bild, oder wählen Sie ein anderes Modell.',
    largePicture: (most) => `Das Bild ist zu groß: höchstens ${most} Pixel.`,
    damagedPicture: 'Das Bild ist beschädigt. Entfernen Sie es, oder wählen Sie ein anderes.',
    unknownModel: (name) => `Es gibt kein Modell mit dem Namen „${name}“.`,
    cannotExplain: 'Dieses Modell kann nicht erklären. Wählen Sie ein anderes.',
    notTaken: (label) => `${label}: Dieser Wert ist nicht möglich. Wählen Sie einen anderen.`,
    subjects: { prompt: 'Der Prompt hat', target: 'Das Ziel hat', both: 'Prompt und Ziel haben' },
    tooLong: (subject, tokens, most) => `${subject} etwa ${tokens} Token; dieses Modell liest bis zu ${most}.`,
    muchTooLong: (subject, tokens, most) =>
      `${subject} mindestens ${tokens} Token; dieses Modell liest bis zu ${most}.`,
  },
  messages: {
    noAnswer: (seconds) =>
      `Innerhalb des Zeitlimits von ${seconds} s kam keine Antwort. Es steht unter „Weitere Einstellungen“.`,
    noMemory: 'Für das Modell ist im Moment nicht genug Arbeitsspeicher frei.',
    littleMemory: (tokens) => `Im Moment hat dieses Gerät Arbeitsspeicher für etwa ${tokens} Token.`,
  },
  steps: {
    PAYLOAD_ERROR: {
      title: 'Die Anfrage wurde nicht verstanden',
      step: 'Prüfen Sie die Einstellungen, und fragen Sie dann noch einmal.',
    },
    INVALID_REQUEST: {
      title: 'Die Anfrage kann nicht ausgeführt werden',
      step: 'Ändern Sie den Prompt oder eine Einstellung, und fragen Sie dann noch einmal.',
    },
    PROMPT_TOO_LONG: {
      title: 'Der Prompt ist zu lang',
      step: 'Kürzen Sie den Prompt oder das Ziel: Beide müssen in den Kontext des Modells passen.',
    },
    MISSING_CAPABILITY: {
      title: 'Das kann dieses Modell nicht',
      step: 'Entfernen Sie das Bild, falls eines da ist, oder wählen Sie ein anderes Modell.',
    },
    UNKNOWN_MODEL: {
      title: 'Unbekanntes Modell',
      step: 'Laden Sie die Seite neu, um ihre Modelle zu sehen.',
    },
    UNAUTHORIZED: {
      title: 'Das Zugangstoken wurde nicht angenommen',
      step: 'Laden Sie die Seite neu, damit sie ihr jetziges Token benutzt.',
    },
    TIMEOUT: {
      title: 'Die Antwort hat zu lange gedauert',
      step: 'Fragen Sie noch einmal, wählen Sie größere Abschnitte, oder erhöhen Sie das Zeitlimit.',
    },
    QUEUE_FULL: {
      title: 'Zu viele Anfragen warten',
      step: 'Lassen Sie die laufenden Anfragen enden, und fragen Sie dann noch einmal.',
    },
    NO_ANSWER: {
      title: 'Das Modell gibt hier keine Antwort',
      step: 'Nach diesem Prompt schreibt es kein lesbares Wort. Ändern Sie den Prompt, oder erklären Sie einen anderen Text.',
    },
    DEVICE_LOST: {
      title: 'Das Rechengerät ist ausgefallen',
      step: 'Das Modell startet neu. Versuchen Sie es noch einmal.',
    },
    OUT_OF_MEMORY: {
      title: 'Dem Gerät fehlt Arbeitsspeicher',
      step: 'Kürzen Sie den Prompt, oder schließen Sie andere Seiten und Programme.',
    },
    MODEL_UNAVAILABLE: {
      title: 'Das Modell konnte nicht geladen werden',
      step: 'Versuchen Sie es noch einmal, oder wählen Sie ein anderes Modell.',
    },
    ENGINE_UNAVAILABLE: {
      title: 'Die entfernte Engine antwortet nicht',
      step: 'Versuchen Sie es noch einmal, oder lassen Sie dieses Gerät einspringen: Einstellungen, Entfernte Engine.',
    },
    NO_WEBASSEMBLY: {
      title: 'WebAssembly ist ausgeschaltet',
      step: 'Die Modelle brauchen es. Erlauben Sie es für diese Website, zum Beispiel in den Einstellungen zum Blockierungsmodus in Safari oder zur erweiterten Sicherheit in Edge; laden Sie die Seite dann neu.',
    },
    CONNECTION: {
      title: 'Es kam keine Antwort',
      step: 'Fragen Sie noch einmal; geschieht es wieder, laden Sie die Seite neu.',
    },
    INTERNAL: {
      title: 'Interner Fehler',
      step: 'Fragen Sie noch einmal; geschieht es wieder, laden Sie die Seite neu.',
    },
  },
  unknown: {
    title: 'Etwas ist schiefgegangen',
    step: 'Fragen Sie noch einmal; geschieht es wieder, laden Sie die Seite neu.',
  },
};

const MODEL_STATUS_DE: ReturnType<typeof modelStatusWords> = {
  loadingLong: (state) => `Das Modell wird in die Seite geladen: ${state}.`,
  loading: 'lädt',
  loadingShare: (percent) => `lädt, ${percent} %`,
  reading: 'wird gelesen',
  readingBytes: (done, total) => `${done} von ${total} gelesen`,
  opening: 'wird geöffnet',
  testing: 'wird geprüft',
  left: (seconds) => `noch etwa ${seconds} s`,
  failed: 'läuft nicht',
  threads: { one: 'Thread', other: 'Threads' },
};

const ENGINE_DE: ReturnType<typeof engineWords> = {
  short: (host) => `Nutzt auch ${host}`,
  long: (models, address) =>
    `${models}: gerechnet auf ${address}. Was Sie für diese Modelle eingeben, verlässt dieses Gerät. Andere Modelle laufen in dieser Seite. Zum Prüfen öffnen.`,
  badge: (place) => `Gerechnet auf ${place}`,
};

const PARTS_DE: ReturnType<typeof partsWords> = {
  copied: 'Kopiert',
  copyBlocked: 'Der Browser erlaubt das Kopieren nicht',
  enterKeys: { apple: '⌘ Return', other: 'Strg Enter' },
  more: (count) => `${count} weitere`,
  seconds: { one: 'Sekunde', other: 'Sekunden' },
  atLeast: (label, amount) => `${label}: mindestens ${amount}.`,
  atMost: (label, amount) => `${label}: höchstens ${amount}.`,
  pasteTooLong: (got, most) =>
    `Dieser Text hat ${got} Zeichen; das Feld nimmt höchstens ${most} auf einmal an. Fügen Sie den Teil ein, auf den es ankommt.`,
};

/** The German texts of this folder, by part. */
export const german = {
  'explain/problem': PROBLEM_DE,
  'model-status': MODEL_STATUS_DE,
  'models/engine': ENGINE_DE,
  parts: PARTS_DE,
};
