import type { Translation } from '../translation.ts';

/** See `FILES`. */
export const FILES_DE: Translation['files'] = {
  problems: {
    unknown_kind: (name: string) => `„${name}“ ist keine PDF-, Word-, Markdown- oder Textdatei.`,
    old_word: (name: string) =>
      `„${name}“ ist verschlüsselt oder hat das alte Word-Format .doc. Speichern Sie die Datei ohne Kennwort als .docx.`,
    encrypted: (name: string) =>
      `„${name}“ ist mit einem Kennwort geschützt. Speichern Sie die Datei ohne Kennwort und fügen Sie sie wieder hinzu.`,
    damaged: (name: string) => `„${name}“ ist beschädigt oder eine andere Art von Datei, als der Name sagt.`,
    no_text: (name: string) =>
      `„${name}“ enthält Bilder von Seiten, aber keinen Text, wie bei einem Scan. Lassen Sie zuerst eine Texterkennung (OCR) laufen.`,
    empty: (name: string) => `„${name}“ enthält keinen Text.`,
    too_large: (name: string) => `„${name}“ ist größer als 64 MB. Teilen Sie die Datei auf.`,
    too_long: (name: string) =>
      `„${name}“ ist länger als 5 Millionen Zeichen oder 3.000 Seiten. Teilen Sie die Datei auf.`,
    unavailable: (name: string) =>
      `Der Browser kann „${name}“ nicht lesen. Vielleicht ist es ein Ordner, oder die Datei wurde verschoben oder gelöscht.`,
    unread: (name: string) =>
      `„${name}“ konnte nicht gelesen werden. Laden Sie diese Seite neu und fügen Sie die Datei wieder hinzu.`,
  },
};
