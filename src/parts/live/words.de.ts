import type { glossaryWords, liveWords } from './words.en.ts';

const GLOSSARY_DE: ReturnType<typeof glossaryWords> = {
  forms: {
    cosine: 'Kosinus',
    factor: 'Faktor',
    granularity: 'Körnung',
    hiddenState: 'inneren Zustand',
    hiddenStates: 'inneren Zustände',
    layer: 'Schicht',
    layers: 'Schichten',
    logit: 'Logit',
    logits: 'Logits',
    nats: 'Nats',
    pooling: 'Pooling',
    probability: 'Wahrscheinlichkeit',
    prompt: 'Prompt',
    score: 'Wert',
    scores: 'Werte',
    section: 'Abschnitt',
    sections: 'Abschnitte',
    target: 'Ziel',
    token: 'Token',
    tokens: 'Token',
  },
  meanings: {
    cosine:
      'Wie ähnlich sich zwei Richtungen sind: 1 bei gleicher Richtung, 0 ohne Gemeinsames, −1 bei entgegengesetzter.',
    factor:
      'Womit die Aufmerksamkeit für einen Teil malgenommen wird: unter 1 schwächt sie ab, 1 ändert nichts, über 1 verstärkt sie.',
    granularity: 'Was die Teile sind: Token, Wörter, Sätze oder Absätze.',
    'hidden states': 'Die Zahlen, die nach einer Schicht für jedes Token stehen. Schicht 0 sind die Worteinbettungen.',
    layer: 'Ein Schritt des Netzes. Jeder ändert die Zahlen jedes Tokens mit Blick auf die Token davor.',
    logit:
      'Die rohe Zahl des Netzes für ein mögliches nächstes Token. Je größer sie ist, desto wahrscheinlicher das Token.',
    nats: 'Die Einheit der Werte. 0,7 Nats machen etwas doppelt oder halb so wahrscheinlich, 2,3 Nats zehnmal.',
    pooling: 'Wie aus den Zahlen aller Token eine Liste wird: ihr Mittel, ihr Maximum oder die des letzten Tokens.',
    probability: 'Für wie wahrscheinlich das Modell etwas hält, von 0 bis 100 %.',
    prompt: 'Der Text, den das Modell liest.',
    score:
      'Wie viel das Ziel verliert, wenn ein Teil gedämpft wird, in Nats. Über 0 stützt der Teil das Ziel, unter 0 spricht er dagegen.',
    section: 'Ein Teil des Prompts, der als Ganzes gedämpft wird.',
    target: 'Der Text nach dem Prompt, dessen Wahrscheinlichkeit erklärt wird.',
    token: 'Die Einheit, die ein Modell liest und schreibt: ein Wort oder ein Stück davon.',
  },
};

const LIVE_DE: ReturnType<typeof liveWords> = {
  run: 'Ausführen',
  cancel: 'Abbrechen',
  running: 'Das Modell rechnet',
  loaded: (model, address) =>
    `Diese Seite nutzt ${model} und sendet nichts an ${address}: Dieser Server gibt nur an, wie wahrscheinlich Texte sind.`,
  stale: 'Der Text hat sich geändert. Führen Sie ihn erneut aus, um zu sehen, was für ihn gilt.',
  reset: 'Zurück zum Beispiel',
  undo: 'Rückgängig',
  failed: 'Das ging nicht:',
  text: 'Text',
  prompt: 'Prompt',
  target: 'Ziel',
  targetSpace: 'Beginnt mit einem Leerzeichen: Das Ziel setzt den Prompt fort.',
  missing: 'Geben Sie einen Text ein.',
  notice: 'Was Sie sehen',
  open: 'Auf der Seite „Erklären“ öffnen',
  waiting: 'Hier erscheint das Ergebnis.',
};

/** The German texts of this folder, by part. */
export const german = { glossary: GLOSSARY_DE, live: LIVE_DE };
