import type { Translation } from '../../translation.ts';

/** See `OWN_MODELS`. */
export const OWN_MODELS_DE: Translation['models/own'] = {
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
    about: 'Modelle, die Sie hinzugefügt haben. Was auf diesem Gerät gespeichert ist, öffnet sich auch ohne Netz.',
    none: 'Sie haben noch keines hinzugefügt.',
    table: 'Ihre Modelle',
    name: 'Name',
    size: 'Größe',
    used: 'Zuletzt benutzt',
    never: 'noch nicht',
    state: 'Auf diesem Gerät',
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
};
