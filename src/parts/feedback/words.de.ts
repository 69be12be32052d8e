import { numberText } from '../../words/language.ts';
import type { filesWords } from './words.en.ts';

const FILES_DE: ReturnType<typeof filesWords> = {
  problems: {
    unknown_kind: (name) => `„${name}“ ist keine PDF-, Word-, Markdown- oder Textdatei.`,
    old_word: (name) =>
      `„${name}“ ist verschlüsselt oder hat das alte Word-Format .doc. Speichern Sie die Datei ohne Kennwort als .docx.`,
    encrypted: (name) =>
      `„${name}“ ist mit einem Kennwort geschützt. Speichern Sie die Datei ohne Kennwort und fügen Sie sie wieder hinzu.`,
    no_font_tables: (name) =>
      `„${name}“ hat Text in Schriften ohne die Zeichentabellen, die sagen, welche Zeichen sie zeigen. Speichern Sie die Datei mit eingebetteten Schriften oder als Text.`,
    overflow: (name) =>
      `„${name}“ enthält entpackt mehr Daten, als gelesen werden. Die Datei kann beschädigt oder ein Angriff sein.`,
    too_slow: (name) => `„${name}“ zu lesen dauert zu lange. Die Datei kann beschädigt oder ein Angriff sein.`,
    damaged: (name) => `„${name}“ ist beschädigt oder eine andere Art von Datei, als der Name sagt.`,
    no_text: (name) =>
      `„${name}“ enthält Bilder von Seiten, aber keinen Text, wie bei einem Scan. Lassen Sie zuerst eine Texterkennung (OCR) laufen.`,
    empty: (name) => `„${name}“ enthält keinen Text.`,
    too_large: (name) => `„${name}“ ist größer als 64 MB. Teilen Sie die Datei auf.`,
    too_long: (name) => `„${name}“ ist länger als 5 Millionen Zeichen oder 3.000 Seiten. Teilen Sie die Datei auf.`,
    unavailable: (name) =>
      `Der Browser kann „${name}“ nicht lesen. Vielleicht ist es ein Ordner, oder die Datei wurde verschoben oder gelöscht.`,
    unread: (name) =>
      `„${name}“ konnte nicht gelesen werden. Laden Sie diese Seite neu und fügen Sie die Datei wieder hinzu.`,
  },
  notRead: (parts) => `Nicht gelesen: ${parts}.`,
  check: (parts) => `Bitte prüfen: ${parts}.`,
  readAs: (characters, encoding) => `${numberText(characters)} Zeichen, gelesen als ${encoding}`,
  unread: {
    picture: { one: 'Bild', other: 'Bilder' },
    chart: { one: 'Diagramm mit Zahlen', other: 'Diagramme mit Zahlen' },
    diagram: { one: 'Schaubild', other: 'Schaubilder' },
    object: { one: 'eingebettetes Objekt', other: 'eingebettete Objekte' },
    part: { one: 'eingebettetes Dokument', other: 'eingebettete Dokumente' },
    equation: { one: 'Formel', other: 'Formeln' },
    symbol: { one: 'Symbol', other: 'Symbole' },
    font: { one: 'Schrift ohne Zeichentabellen', other: 'Schriften ohne Zeichentabellen' },
    form: { one: 'XFA-Formular', other: 'XFA-Formulare' },
    annotation: { one: 'Anmerkung', other: 'Anmerkungen' },
    comment: { one: 'Kommentar', other: 'Kommentare' },
    field: { one: 'Formularfeld ohne Zustand', other: 'Formularfelder ohne Zustand' },
    attachment: { one: 'angehängte Datei', other: 'angehängte Dateien' },
    textless_page: { one: 'Seite ohne Text', other: 'Seiten ohne Text' },
    damage: { one: 'beschädigter Teil', other: 'beschädigte Teile' },
    hidden_text: { one: 'verborgener Text', other: 'verborgene Texte' },
    deleted_text: { one: 'nachverfolgte Löschung', other: 'nachverfolgte Löschungen' },
    struck_text: { one: 'durchgestrichener Text', other: 'durchgestrichene Texte' },
    reading_aid: { one: 'Lesehilfe (Ruby)', other: 'Lesehilfen (Ruby)' },
    page_number: { one: 'Seitenzahl', other: 'Seitenzahlen' },
    running_head: { one: 'wiederholte Kopf- oder Fußzeile', other: 'wiederholte Kopf- oder Fußzeilen' },
    metadata: {
      one: 'Block mit Metadaten (Front Matter oder Titel)',
      other: 'Blöcke mit Metadaten (Front Matter oder Titel)',
    },
    character: { one: 'Zeichen in unbekannter Kodierung', other: 'Zeichen in unbekannter Kodierung' },
    unclosed_quote: { one: 'Anführungszeichen ohne Ende', other: 'Anführungszeichen ohne Ende' },
    uneven_row: { one: 'Zeile mit zu vielen Werten', other: 'Zeilen mit zu vielen Werten' },
  },
};

/** The German texts of this folder, by part. */
export const german = { files: FILES_DE };
