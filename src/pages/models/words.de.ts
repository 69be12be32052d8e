import { countText } from '../../words/language.ts';
import type { modelsWords } from './words.en.ts';

const MODELS_DE: ReturnType<typeof modelsWords> = {
  title: 'Modelle',
  claim: 'Trainingsdaten, Qualität und Grenzen jedes Modells. Die Modellkarten sind auf Englisch.',
  list: 'Modelle',
  descriptions: {
    'lightwell-base':
      'Kleines Sprachmodell, das zu Lightwell gehört. Es liest Dialoge zu einfachen Aufgaben, kurze Texte und Geschichten auf Englisch sowie Bilder einfacher Formen; gemacht für Erklärungen und Embeddings, nicht als Wissensquelle.',
    'lightwell-embed':
      'Kleines Embedding-Modell, das zu Lightwell gehört: 5120 Dimensionen, von denen die ersten 128 für sich allein genügen; zum Vergleichen von Texten (symmetrisch) und zum Finden von Dokumenten zu einer Anfrage.',
    'lightwell-reader':
      'Kleines Lesemodell, das zu Lightwell gehört. Es findet die Antwort auf eine Frage in einem Text; ein Wert sagt, wie wahrscheinlich sie dort steht.',
  },
  readsText: (tokens: string) => `liest Text, bis zu ${tokens} Token`,
  readsPictures: (tokens: string) => `liest Text und Bilder, bis zu ${tokens} Token`,
  weights: {
    title: 'Gewichte',
    takes: (size: string, memory: string) => `${size}, etwa ${memory} Speicher, solange es benutzt wird`,
  },
  writing: {
    title: 'Ausprobieren',
    prompt: 'Text',
    write: 'Text fortsetzen',
    ends: {
      itself: 'Hier beendet das Modell seinen Text.',
      limit: (tokens) =>
        `Nach ${countText(tokens, { one: 'Token', other: 'Token' })} angehalten. Jedes ist das wahrscheinlichste, deshalb kann sich der Text wiederholen.`,
    },
  },
  calibration: {
    none: 'Welche Erklärungen dieses Modells am besten mit dem Löschen übereinstimmen, wird nach der ersten Erklärung im Hintergrund gemessen.',
    depends: (dimmed: string, deleted: string) =>
      `Dieses Modell hängt von seinem ersten Token ab: Jedes spätere Token verliert im Mittel ${dimmed} Nats, wenn das erste Wort gedämpft wird, und ${deleted} Nats, wenn es gelöscht wird.`,
    independent: (dimmed: string, deleted: string) =>
      `Dieses Modell hängt nicht von seinem ersten Token ab: Jedes spätere Token verliert im Mittel ${dimmed} Nats, wenn das erste Wort gedämpft wird, und ${deleted} Nats, wenn es gelöscht wird.`,
    delimiter: (dimmed: string, deleted: string) =>
      `Auch vom ersten Punkt oder Zeilenende hängt es ab: ${dimmed} Nats beim Dämpfen, ${deleted} beim Löschen.`,
    hides: (hidden: string, dimmed: string) =>
      `Erklärungen blenden Wörter aus: Die Rangkorrelation mit dem Löschen ist ${hidden}, mit auf 0,1 multiplizierter Aufmerksamkeit ${dimmed}.`,
    dims: (hidden: string, dimmed: string) =>
      `Erklärungen multiplizieren die Aufmerksamkeit mit 0,1: Die Rangkorrelation mit dem Löschen ist ${dimmed}, mit ausgeblendeten Wörtern ${hidden}.`,
    again: 'Neu messen',
  },
  unknown: (name: string) => `Es gibt kein Modell mit dem Namen „${name}“.`,
  loading: (name: string) => `Die Karte von ${name} wird geladen`,
  failed: (why: string) => `Die Karte konnte nicht geladen werden: ${why}`,
  tryAgain: 'Noch einmal versuchen',
  hub: {
    title: 'Vom Hugging Face Hub',
    about: (hub: string) =>
      `Fragt ${hub} nach dem Modell, das Sie nennen. Der Hub erfährt Ihre Netzadresse und die Namen der Dateien, sonst nichts, was Sie eingeben. Einen Spiegel können Sie in den Einstellungen angeben.`,
    id: 'Modell',
    example: 'owner/name',
    revision: 'Revision',
    subfolder: 'Ordner im Repository',
    dtype: 'Gewichte',
    automatic: 'Automatisch, nach Größe',
    token: 'Zugriffstoken',
    tokenHint: 'Für geschützte Modelle. Es wird an den Hub gesendet und ist weg, sobald diese Seite geschlossen wird.',
    more: 'Revision, Ordner, Zugriffstoken',
    ask: 'Nachsehen',
    asking: (id: string) => `${id} wird angefragt`,
    found: {
      size: 'Größe',
      dtype: 'Gewichte',
      memory: 'Speicher',
      aboutMemory: (size: string) => `etwa ${size}, solange es benutzt wird`,
      licence: 'Lizenz',
      noLicence: 'keine angegeben',
      commit: 'Commit',
      use: 'Nutzung hier',
      why: (reason: string) => `Grund: ${reason}`,
      free: (free: string) => `${free} sind für diese Seite frei.`,
      agree: (size: string, licence: string) => `${size} unter ${licence} laden`,
      agreeWithout: (size: string) => `${size} laden`,
    },
    fetches: {
      label: (name: string) => `${name} wird geladen`,
      running: (done: string, total: string) => `${done} von ${total}`,
      speed: (size: string) => `${size} pro Sekunde`,
      left: (time: string) => `noch ${time}`,
      checking: 'Die Dateien werden mit den Prüfsummen des Hubs verglichen',
      comesWhole: 'Dieser Host kann keine Teile von Dateien senden: Eine abgebrochene Datei beginnt von vorn.',
      waiting: 'Das Netz oder der Hub antwortet nicht; neuer Versuch',
      paused: (done: string, total: string) => `Angehalten bei ${done} von ${total}`,
      elsewhere: 'Ein anderer Tab lädt dieses Modell.',
      files: 'Dateien',
      pause: 'Anhalten',
      resume: 'Fortsetzen',
      cancel: 'Abbrechen',
      ofOne: (action: string, name: string) => `${action}: ${name}`,
    },
    problems: {
      address: 'Das ist kein Name eines Modells. Schreiben Sie owner/name.',
      unreachable:
        'Der Hub war nicht zu erreichen. Prüfen Sie die Verbindung oder die Adresse des Hubs in den Einstellungen.',
      token:
        'Der Hub verlangt ein Zugriffstoken, oder es gibt dieses Modell nicht. Legen Sie auf der Seite des Hubs ein Token an und tragen Sie es hier ein.',
      terms:
        'Der Hub gibt Ihnen keinen Zugriff auf dieses Modell. Nehmen Sie auf der Seite des Hubs seine Bedingungen an und verwenden Sie ein Token desselben Kontos.',
      absent: 'Der Hub hat kein solches Modell, keine solche Revision oder Datei.',
      busy: 'Der Hub ist überlastet. Versuchen Sie es später noch einmal.',
      wrong: 'Die geladene Datei ist nicht die des Modells und wurde nicht gespeichert.',
      space: 'Der Platz reicht nicht. Löschen Sie Modelle oder machen Sie auf dem Gerät Platz.',
      other: 'Das hat nicht funktioniert.',
    },
  },
  local: {
    tiers: {
      steered: 'Läuft mit Erklärungen und einstellbarer Aufmerksamkeit.',
      as_exported: 'Läuft ohne Erklärungen und einstellbare Aufmerksamkeit.',
      refused: 'Kann nicht verwendet werden.',
    },
    ofServer: 'Wird erklärt, indem Teile des Prompts gelöscht werden.',
    why: (reason: string) => `Grund: ${reason}`,
    noCard: 'Der Ordner dieses Modells hat keine README.md.',
  },
  own: {
    summary: 'Modell hinzufügen',
    folder: {
      title: 'Von diesem Gerät',
      about:
        'Ein Ordner, wie ihn der Hugging Face Hub hat: config.json, tokenizer.json, tokenizer_config.json und onnx/model.onnx. Er wird hier gelesen und nirgendwohin gesendet.',
      drop: 'Legen Sie einen Ordner auf dieser Seite ab, oder:',
      pick: 'Ordner auswählen…',
      reading: 'Der Ordner wird gelesen',
      done: (names: string) => `In der Liste: ${names}.`,
      nothing: 'Nichts wurde geöffnet: Keiner dieser Ordner hat eine config.json.',
      failed: (why: string) => `Der Ordner konnte nicht geöffnet werden: ${why}`,
    },
    kept: {
      title: 'Ihre Modelle',
      about: 'Modelle, die Sie hinzugefügt haben. Die auf diesem Gerät gespeicherten öffnen sich auch ohne Netz.',
      none: 'Sie haben noch keines hinzugefügt.',
      table: 'Ihre Modelle',
      used: 'Zuletzt benutzt',
      never: 'noch nicht',
      isKept: 'Gespeichert',
      isNot: 'Bis diese Seite geschlossen wird',
      copying: (share: string) => `Wird kopiert: ${share}`,
      keep: 'Auf diesem Gerät speichern',
      keepOne: (name: string) => `${name} auf diesem Gerät speichern`,
      remove: 'Löschen',
      removeOne: (name: string) => `${name} löschen`,
      from: (hub: string, commit: string) => `${hub}, Commit ${commit}`,
      space: (used: string, free: string) => `Der Browser belegt ${used} für diese Adresse; ${free} sind frei.`,
      problem: (why: string) => `Problem: ${why}`,
    },
  },
  presets: {
    summary: 'Modelle für den Anfang',
    about:
      'Modelle des Hubs, nach dem, was sie tun. „Sollte laufen“ ist von einem Netz derselben Familie mit zufälligen Gewichten abgeleitet. Schlagen Sie ein Modell nach, um seine heutigen Dateien zu sehen.',
    tasks: {
      write: 'Schreiben und Erklärungen',
      embed: 'Embeddings',
      read: 'Antworten aus einem Text',
      see: 'Bilder',
    },
    licence: 'Lizenz',
    size: 'Größe nach Gewichtstyp',
    memory: 'Speicher',
    use: 'Sollte laufen',
    untried: 'Von diesem Projekt nie aus dem Hub geöffnet',
    asked: 'noch nicht bekannt',
    ask: (name: string) => `${name} nachschlagen`,
    aboutSize: (size: string) => `etwa ${size}`,
  },
};

/** The German texts of this folder, by part. */
export const german = { models: MODELS_DE };
