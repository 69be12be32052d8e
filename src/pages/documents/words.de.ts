import { countText, numberText } from '../../words/language.ts';
import type { documentsWords } from './words.en.ts';

const ofPassages = (count: number) => countText(count, { one: 'Abschnitt', other: 'Abschnitten' });

const passages = (count: number) => countText(count, { one: 'Abschnitt', other: 'Abschnitte' });

const DOCUMENTS_DE: ReturnType<typeof documentsWords> = {
  title: 'Dokumente',
  claim: 'Stellen Sie Fragen zu Ihren Dokumenten und sehen Sie den Satz mit der Antwort.',
  sent: (host) =>
    `Dateien werden auf Ihrem Gerät gelesen und nicht gespeichert: Wenn Sie diesen Tab schließen, sind sie weg. Modelle auf ${host} erhalten, woraus sie antworten.`,
  privacy:
    'Dateien werden auf Ihrem Gerät gelesen. Sie werden nirgendwohin gesendet und nicht gespeichert: Wenn Sie diesen Tab schließen, sind sie weg.',
  english: 'Das eingebaute Lesemodell versteht nur Englisch: Stellen Sie englische Fragen zu englischen Texten.',
  empty: {
    title: 'Dateien hier ablegen',
    kinds: 'PDF, Word (.docx), Markdown oder Text, auch mehrere auf einmal.',
    example: 'Beispielvertrag ausprobieren (auf Englisch)',
  },
  list: {
    label: 'Ihre Dokumente',
    add: 'Dateien hinzufügen',
    choose: 'Dateien auswählen',
    remove: (name: string) => `„${name}“ entfernen`,
    removed: (name: string) => `„${name}“ wurde entfernt.`,
    undo: 'Rückgängig',
    waiting: (name: string) => `„${name}“ wird gelesen`,
    pages: { one: 'Seite', other: 'Seiten' },
    words: { one: 'Wort', other: 'Wörter' },
  },
  ask: {
    label: 'Frage',
    placeholder: 'Who is liable for damage?',
    ask: 'Fragen',
    cancel: 'Abbrechen',
    noDocument: 'Fügen Sie zuerst ein Dokument hinzu.',
    noQuestion: 'Geben Sie eine Frage ein.',
    history: 'Schon gefragt',
    suggestions: 'Zum Ausprobieren:',
    progress: 'Antworten',
    reading: 'Die Dateien werden gelesen …',
    starting: 'Die Frage wird gestellt …',
    queue: 'Andere Anfragen laufen noch …',
    download: (percent: string) => `Das Lesemodell wird geladen, ${percent} %`,
    compile: 'Das Lesemodell wird vorbereitet …',
    run: (done, total) => `${numberText(done)} von ${ofPassages(total)} gelesen`,
  },
  answers: {
    to: (question: string) => `Antworten auf „${question}“`,
    soFar: 'Bisher beste Antworten',
    stopped: (done, total) =>
      `Abgebrochen nach ${numberText(done)} von ${ofPassages(total)}. Die besten Antworten bis dahin sind zu sehen.`,
    onlyPerhaps: 'Keine Antwort ist wahrscheinlich: Prüfen Sie, was gezeigt wird, an seinem Satz.',
    none: 'Nichts gefunden',
    noneDetail: (score) =>
      `Der beste Abschnitt hat nur den Wert ${score}. Sollte die Antwort in den Dokumenten stehen, fragen Sie mit anderen Worten.`,
    nothingRead: 'Die Dokumente enthalten keinen Text.',
    added: {
      one: 'Dokument kam nach dieser Frage dazu und wurde nicht durchsucht.',
      other: 'Dokumente kamen nach dieser Frage dazu und wurden nicht durchsucht.',
    },
    again: 'Noch einmal fragen',
    more: (count) => `${countText(count, { one: 'weitere Antwort', other: 'weitere Antworten' })} zeigen`,
    certainty: { likely: 'Wahrscheinlich', perhaps: 'Vielleicht' },
    score: (score: string) => `Wert ${score}`,
    scoreAbout: (tenths) =>
      `Bei der Messung mit Texten einer Enzyklopädie ${tenths === 1 ? 'war' : 'waren'} ${tenths < 1 ? 'weniger als 1' : `etwa ${numberText(tenths)}`} von 10 Antworten mit einem solchen Wert richtig. Bei anderen Texten kann das anders sein.`,
    yesNo: 'Die Frage verlangt Ja oder Nein. Lesen Sie die Sätze: Das Modell entscheidet es nicht.',
    missing: (words) => `Der Satz enthält ${words} nicht: Vielleicht beantwortet er eine andere Frage.`,
    quoted: (word: string) => `„${word}“`,
    page: (number: string) => `Seite ${number}`,
    explain: 'Diese Antwort erklären',
    copy: 'Mit Quelle kopieren',
    keys: 'Mit den Pfeiltasten nach oben und unten gehen Sie von Antwort zu Antwort.',
  },
  cited: {
    title: (model, host) => `Antwort von „${model}“ auf ${host}`,
    failed:
      'Die Antwort des Servers kann nicht gezeigt werden: Ihr Teil der Seite wurde nicht geladen. Laden Sie die Seite neu.',
    none: 'Stellen Sie eine Frage: Die Abschnitte, die dazu gefunden werden, können dann gesendet werden.',
    plan: (host, count, tokens, cost) =>
      `Sendet die Frage und ${passages(count)} an ${host}: 1 Anfrage mit etwa ${tokens} Token für die Antwort${cost === null ? '' : `, die etwa ${cost} kostet`}.`,
    perSentence: (most, requests, tokens, cost) =>
      `Danach finden ${requests} Anfragen mit etwa ${tokens} Token die Abschnitte jedes ihrer Sätze, höchstens ${most}${cost === null ? '' : `; jeder kostet etwa ${cost}`}.`,
    ask: (host) => `${host} fragen`,
    stop: 'Abbrechen',
    progress: 'Anfragen',
    writing: 'Der Server schreibt die Antwort …',
    linking: (done, total) => `${done} von ${total} Anfragen beantwortet`,
    stopped: 'Abgebrochen. Was bis dahin bekannt ist, ist zu sehen.',
    cut: (tokens) => `Die Antwort ist länger: ${tokens} Token wurden geschrieben.`,
    unsupported: 'Ohne Beleg: Kein Abschnitt macht diesen Satz deutlich wahrscheinlicher.',
    unexamined: 'Nicht untersucht.',
    effect: {
      more: (times) => `${times} wahrscheinlicher`,
      less: (times) => `${times} weniger wahrscheinlich`,
      same: 'etwa gleich wahrscheinlich',
    },
    link: (without, alone) =>
      `Ohne diesen Abschnitt ist der Satz ${without}; mit ihm allein, verglichen mit keinem Abschnitt, ${alone}.`,
    commands: 'Er enthält Anweisungen.',
    command: (source, sentence) => `${source} enthält Anweisungen: ${sentence} Prüfen Sie, ob die Antwort ihnen folgt.`,
    sent: (place, isHere, { requests, tokens, isAll }) =>
      `Das hat ${isHere ? 'die Seite' : 'Ihr Gerät'} verlassen: Frage und Abschnitte wurden an ${place} gesendet, in ${isAll ? '' : 'mindestens '}${countText(requests, { one: 'Anfrage', other: 'Anfragen' })} mit ${isAll ? '' : 'mindestens '}${numberText(tokens)} Token.`,
  },
  view: {
    label: (name: string) => `Text von „${name}“`,
    page: (number: string, total: string) => `Seite ${number} von ${total}`,
    drawFailed: 'Diese Seite konnte nicht gezeichnet werden. Ihr Text wurde trotzdem gelesen.',
    lacksPicture:
      'Ein Bild auf dieser Seite wird nicht gezeigt: Es hat ein Format ohne Decoder hier, etwa JPEG 2000, ist zu groß oder beschädigt.',
    openFailed:
      'Diese Datei konnte nicht noch einmal geöffnet werden. Entfernen Sie sie und fügen Sie sie wieder hinzu.',
    table: 'Tabelle',
    back: 'Zurück zu den Antworten',
    none: 'Hier erscheint das Dokument, sobald es gelesen ist.',
  },
  save: {
    label: 'Antworten speichern',
    csv: 'CSV',
    json: 'JSON',
    markdown: 'Markdown',
    report: 'Bericht',
    print: 'Drucken',
    saved: (name: string) => `${name} gespeichert`,
    reportTitle: (question: string) => `Antworten auf „${question}“`,
    passage: 'Abschnitt',
    made: 'Beantwortet mit Lightwell von einem kleinen Sprachmodell. Prüfen Sie jede Antwort an ihrem Satz.',
    source: (name: string) => `Quelle: ${name}`,
  },
  problem: {
    retry: 'Noch einmal versuchen',
    PROMPT_TOO_LONG: 'Die Frage ist zu lang. Kürzen Sie sie auf einen Satz.',
    MISSING_CAPABILITY:
      'Das Modell, das für Fragen gewählt ist, kann nicht aus Texten antworten. Wählen Sie in den Einstellungen ein anderes.',
    TIMEOUT:
      'Die Antwort hat zu lange gedauert. Durchsuchen Sie weniger Dokumente auf einmal, oder erhöhen Sie in den Einstellungen das Zeitlimit.',
    QUEUE_FULL: 'Zu viele Anfragen warten. Lassen Sie sie zu Ende laufen und versuchen Sie es noch einmal.',
    DEVICE_LOST: 'Das Gerät hat angehalten. Das Modell startet neu: Versuchen Sie es noch einmal.',
    OUT_OF_MEMORY:
      'Dem Gerät fehlt Speicher. Schließen Sie andere Seiten und Programme und versuchen Sie es noch einmal.',
    MODEL_UNAVAILABLE:
      'Das Lesemodell konnte nicht geladen werden. Prüfen Sie die Verbindung zu dieser Website und versuchen Sie es noch einmal.',
    ENGINE_UNAVAILABLE:
      'Die entfernte Engine antwortet nicht. Versuchen Sie es noch einmal, oder schalten Sie sie in den Einstellungen ab.',
    NO_WEBASSEMBLY:
      'WebAssembly ist in diesem Browser abgeschaltet. Modelle brauchen es: Erlauben Sie es für diese Website.',
    other: 'Etwas ist schiefgegangen. Versuchen Sie es noch einmal; passiert es wieder, laden Sie die Seite neu.',
  },
};

/** The German texts of this folder, by part. */
export const german = { documents: DOCUMENTS_DE };
