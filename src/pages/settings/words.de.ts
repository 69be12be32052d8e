import type { settingsWords } from './words.en.ts';

const SETTINGS_DE: ReturnType<typeof settingsWords> = {
  title: 'Einstellungen',
  claim: 'Änderungen gelten ab der nächsten Anfrage.',

  page: {
    title: 'Seite',
    about: 'Wie diese Seite auf diesem Gerät aussieht.',
    language: 'Sprache',
    system: (name: string) => `Wie im Browser (${name})`,
    theme: 'Farben',
    themes: { system: 'Wie das Gerät', light: 'Hell', dark: 'Dunkel' },
    languageFailed:
      'Diese Sprache konnte nicht geladen werden. Prüfen Sie die Verbindung und wählen Sie sie noch einmal.',
  },
  models: {
    title: 'Modelle',
    about: 'Vorgaben für Anfragen, die kein Modell nennen, und andere Namen für vorhandenen Code.',
    uses: { explain: 'Seite „Erklären“', semantic_embed: 'Semantische Embeddings', qa: 'Fragen und Antworten' },
    cards: 'Modellkarten: {cards}',
  },

  aliases: {
    title: 'Andere Namen für Modelle',
    about: 'Vorhandener Code kann seine Modellnamen behalten. Die Antwort nennt das Modell, das gerechnet hat.',
    remove: 'Entfernen',
    removeOne: (name: string) => `${name} entfernen`,
    isLocal: (name: string) => `„${name}“ ist der Name eines Modells dieser Seite.`,
    length: 'Ein Modellname hat 1 bis 200 Zeichen.',
    alias: 'Anderer Name',
    example: 'zum Beispiel luminous-base',
    local: 'Modell dieser Seite',
    add: 'Hinzufügen',
    addHosted: 'Namen des gehosteten Dienstes hinzufügen',
    hostedHint: 'Jeder Name wählt dann das Standardmodell jeder Operation.',
    forUse: (use: string, name: string) => `${use}: ${name}`,
  },
  service: {
    title: 'Dienst',
    about: 'Grenzen für Anfragen.',
    operator: 'Name des Betreibers',
    operatorHint: 'Im Feld hosting erlaubt, neben null und „operator“.',
    operatorWrong: 'Name des Betreibers: 1 bis 100 Zeichen.',
    queue: 'Länge der Warteschlange',
    queueHint:
      '1 bis 10.000 Anfragen dürfen warten. Jede weitere wird mit 503 beantwortet und darf noch einmal gesendet werden.',
    queueWrong: 'Länge der Warteschlange: eine ganze Zahl von 1 bis 10.000.',
  },

  hub: {
    label: 'Adresse des Hubs',
    hint: 'Woher Modelle kommen, wenn Sie eines laden: https://huggingface.co oder ein Spiegel davon.',
    wrong: 'Adresse des Hubs: https, oder http auf diesem Rechner, ohne Schrägstrich am Ende.',
  },
  device: {
    title: 'Gerät',
    about: 'Worauf Modelle laufen. Automatisch: für jedes Modell gemessen.',
    backend: 'Backend',
    backends: { auto: 'Automatisch', webgpu: 'WebGPU', wasm: 'WebAssembly' },
    threads: 'Threads von WebAssembly',
    loading: (model: string) => `${model} wird geladen.`,
    failed: (model: string, why: string) => `${model} kann nicht geladen werden: ${why}`,
    runsOn: (model: string, backend: string, why: string) => `${model} läuft auf ${backend}: ${why}`,
  },
  engine: {
    title: 'Entfernte Engine',
    about: 'Große Modelle auf einem Inferenzserver. Aus, bis Sie sie einschalten.',
    none: 'Starten Sie den lokalen Server mit --engine und --engine-models, um eine zu nennen.',
    address: 'Adresse der Engine',
    addressHint: 'Muss die sein, mit der der lokale Server gestartet wurde.',
    addressOffered: (address) => `Der lokale Server wurde mit ${address} gestartet.`,
    addressWrong: 'Geben Sie eine Adresse wie https://engine.example ein.',
    take: (address) => `${address} verwenden`,
    model: (name) => `${name} steht für`,
    onlyHere: 'Kein Modell: läuft hier',
    use: 'Anfragen, die andere Rechner erlauben (hosting ist null)',
    uses: { off: 'Laufen hier', on: 'Dürfen auf der Engine laufen' },
    useHint:
      'Was Sie für diese Modelle eingeben, verlässt dann dieses Gerät. Eine Anfrage, die den Betreiber nennt, läuft immer hier.',
    away: 'Wenn die Engine nicht antwortet',
    awayChoices: { fail: '503 antworten', here: 'Hier rechnen' },
    connect: 'Verbinden und prüfen',
    checking: 'Wird geprüft …',
    verified: (model, reason) => `${model} ist geprüft: ${reason}`,
    refused: (model, reason) => `${model} ist abgelehnt: ${reason}`,
    noModels: 'Wählen Sie zuerst ein Modell der Engine.',
  },
  upstream: {
    title: 'OpenAI-kompatibler Server',
    about:
      'Erklärt Modelle, die auf einem Server laufen, indem Teile des Prompts gelöscht werden. Aus, bis Sie ihn einschalten.',
    none: 'Starten Sie den lokalen Server mit --upstream und einer Adresse, die auf /v1 endet, um einen zu nennen.',
    address: 'Server',
    off: 'Aus',
    leaves: 'Was Sie für seine Modelle eingeben, verlässt dieses Gerät. Sein Schlüssel bleibt beim lokalen Server.',
    limits: {
      maxTokens: 'Token für eine Anfrage dieser Seite, höchstens',
      pricePerMillionTokens: 'Preis für eine Million Token',
      maxCost: 'Kosten einer Anfrage dieser Seite, höchstens',
    },
    limitHints: {
      maxTokens: 'Leer: keine Grenze.',
      pricePerMillionTokens: 'In beliebiger Währung. Leer: nicht bekannt, die Kosten lassen sich dann nicht begrenzen.',
      maxCost: 'In der Währung des Preises. Leer: keine Grenze.',
    },
    limitWrong: 'Geben Sie eine Zahl über 0 ein, für Token eine ganze Zahl.',
    list: 'Modelle neu auflisten',
    listing: 'Seine Modelle werden aufgelistet …',
    found: (models) => `Seine Modelle: ${models}`,
    foundNone: 'Er listet keine Modelle auf.',
    choose: (field) => `Um eines davon zu erklären, wählen Sie es unter Modelle, ${field}.`,
    failed: (why) => `Die Modelle können nicht aufgelistet werden: ${why}`,
  },
  access: {
    title: 'Zugang',
    about:
      'Programme auf diesem Rechner erreichen diesen Tab über den lokalen Server; jede Anfrage braucht das Zugangstoken.',
    origins: 'Erlaubte Ursprünge',
    originsHint:
      'Ein Ursprung (Origin) pro Zeile, zum Beispiel https://notebook.example. Der Browser blockiert Seiten mit jedem anderen Ursprung.',
    originsMany: 'Höchstens 100 Ursprünge.',
    agents: 'Agenten dieses Browsers',
    agentChoices: { off: 'Dürfen die Modelle nicht benutzen', on: 'Dürfen die Modelle benutzen' },
    agentsHint:
      'Ein Agent kann dann Texte, die er sendet, erklären, bewerten, einbetten und ordnen und Dokumente befragen. Die Antworten darf er weitergeben. Was Sie hier eingeben, bekommt er nicht.',
    agentsRefused: (why: string) => `Der Browser nimmt die Werkzeuge nicht an: ${why}`,
    originsWrong: (line: string) => `„${line}“ ist kein Ursprung wie https://notebook.example.`,
  },
  token: {
    label: 'Zugangstoken',
    hint: 'Wird als „Authorization: Bearer …“ gesendet. Die Seite sendet es nur an den lokalen Server, der nur seinen Hash behält.',
    show: 'Anzeigen',
    hide: 'Verbergen',
    copy: 'Kopieren',
    replace: 'Ersetzen …',
    replaced: 'Ersetzt',
    replaceTitle: 'Zugangstoken ersetzen',
    replaceWarning: 'Programme mit dem alten Token werden danach abgewiesen.',
    replaceNow: 'Token ersetzen',
    cancel: 'Abbrechen',
  },
};

/** The German texts of this folder, by part. */
export const german = { settings: SETTINGS_DE };
