import type { apiWords } from './words.en.ts';

const API_DE: ReturnType<typeof apiWords> = {
  title: 'API',
  claim: 'Jede Operation über HTTP, von diesem Tab beantwortet.',
  request: {
    label: 'Anfrage',
    operation: 'Operation',
    body: 'Body',
    reset: 'Zurücksetzen',
    undo: 'Rückgängig',
    invalid: (why: string) => `Ungültiges JSON: ${why}`,
    send: 'Senden',
    cancel: 'Abbrechen',
  },
  does: {
    explain: 'Wie stark jeder Teil eines Prompts ein Ziel stützt.',
    evaluate: 'Wie wahrscheinlich eine Fortsetzung ist.',
    complete: 'Setzt einen Prompt fort.',
    'complete/json': 'Setzt einen Prompt als JSON fort.',
    'chat/completions': 'Antwortet in einem Dialog. Braucht ein Modell mit Chat-Vorlage.',
    predict: 'Was das Modell selbst sagen würde, und wie wahrscheinlich ein Ziel ist.',
    lens: 'Was das Modell nach jeder seiner Schichten vorhersagen würde.',
    embed: 'Innere Zustände jeder Schicht, zusammengefasst.',
    semantic_embed: 'Die Bedeutung eines Textes als ein Vektor.',
    batch_semantic_embed: 'Dasselbe für bis zu 100 Texte.',
    instructable_embed: 'Ein Vektor für einen Zweck, der in Worten beschrieben ist.',
    embeddings: 'Vektoren von Texten in der Form von OpenAI.',
    rerank: 'Dokumente, geordnet nach ihrer Relevanz für eine Anfrage.',
    tokenize: 'Die Token eines Textes.',
    detokenize: 'Der Text von Token-IDs.',
    steering_concepts: 'Ein Konzept, das ein Modell steuert, aus Textpaaren.',
    qa: 'Antworten aus Dokumenten, mit Belegen. Veraltet.',
    'model-settings': 'Die Modelle, und was sie können.',
    models_available: 'Dieselbe Liste für ältere Clients.',
    version: 'Die Version des Dienstes.',
    'openapi.json': 'Alle Operationen und ihre Felder, als OpenAPI.',
  },
  response: {
    label: 'Antwort',
    idle: 'Drücken Sie „Senden“, um die Antwort zu sehen.',
    waiting: 'Die Antwort wird erwartet …',
    copy: 'Kopieren',
    body: 'Body der Antwort',
    more: (count: string) => `… ${count} weitere`,
  },
  snippet: {
    label: 'Dieselbe Anfrage als Code',
    title: 'Von außerhalb dieser Seite',
    language: 'Programmiersprache',
    python: 'Python-Client',
    code: (language: string) => `Die Anfrage für ${language}`,
    showToken: 'Mein Zugangstoken anzeigen',
    copyCode: 'Mit meinem Token kopieren',
    copyToken: 'Token kopieren',
    noBridge:
      'Programme können sich unter dieser Adresse nicht verbinden. Starten Sie Lightwell auf Ihrem eigenen Rechner mit {command}.',
  },
  transports: {
    label: 'Zugangswege',
    page: 'Diese Seite',
    pageText: 'In der Konsole immer verfügbar.',
    tabs: 'Tabs dieser Website',
    programs: 'Programme auf diesem Rechner',
    serviceWorker: {
      absent: 'Nicht unter dieser Adresse: Service Worker brauchen https oder localhost.',
      starting: 'Der Service Worker startet.',
      active: 'Der Service Worker ist aktiv.',
      failed: 'Der Service Worker konnte nicht gestartet werden.',
    },
    bridge: {
      absent: 'Nicht unter dieser Adresse: Starten Sie die Seite mit npm start auf Ihrem eigenen Rechner.',
      connecting: 'Verbindung zum Server dieser Seite wird aufgebaut.',
      connected:
        'Verbunden: Anfragen mit dem Zugangstoken dieses Browsers erreichen diesen Tab. Lassen Sie ihn geöffnet.',
    },
    states: { open: 'offen', waiting: 'noch nicht offen', closed: 'geschlossen' },
  },
};

/** The German texts of this folder, by part. */
export const german = { api: API_DE };
