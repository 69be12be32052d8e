import type { insideWords } from './words.en.ts';

const INSIDE_DE: ReturnType<typeof insideWords> = {
  title: 'Innen',
  claim: 'Wie sich die Zahlen für einen Text von Schicht zu Schicht des Modells ändern.',

  matrix: {
    title: 'In einer Schicht',
    slider: 'Schicht',
    caption: (layer) => `Kosinus-Ähnlichkeit der Texte in Schicht ${layer}`,
  },
  tokens: {
    save: 'Token speichern (CSV)',
    title: 'Token für Token',
    text: 'Die {tokens} zweier Texte in einer {layer}. Dasselbe Wort kann etwas anderes bedeuten: Seinen {hiddenState} bestimmen die Wörter davor mit.',
    first: 'Erster Text',
    second: 'Zweiter Text',
    run: 'Token vergleichen',
    caption: (layer) => `Kosinus-Ähnlichkeit jedes Tokens des ersten Textes mit jedem des zweiten, Schicht ${layer}`,
    cut: (count) => `Verglichen werden nur die ersten ${count} Token jedes Textes.`,
    closest: (a, b, value) => `Das ähnlichste Paar verschiedener Token: „${a}“ und „${b}“ (${value}).`,
    same: (token, low, high) =>
      low === high
        ? `„${token}“ steht in beiden Texten, mit einer Ähnlichkeit von ${low}.`
        : `„${token}“ steht in beiden Texten, mit Ähnlichkeiten von ${low} bis ${high}.`,
  },
  lens: {
    save: 'Vorhersagen speichern (CSV)',
    title: 'Was würde jede Schicht vorhersagen?',
    text: 'Der letzte Schritt des Modells macht aus dem letzten {hiddenState} {logits} und daraus eine {probability} für jedes {token}. Auf frühere Schichten angewandt, sagt er, was das Modell vorhersagen würde, wenn es dort endete. Das heißt „Logit Lens“. Das Modell hat nur gelernt, in der letzten Schicht vorherzusagen. Was frühere Schichten sagen, ist deshalb nur ein Hinweis.',
    source: 'Quelle: nostalgebraist, “interpreting GPT: the logit lens”, 2020',
    target: 'Ziel (optional)',
    table: 'Wahrscheinlichste nächste Token in jeder Schicht, nach dem letzten Token des Prompts; die über 0,1 %',
    layer: 'Schicht',
    likeliest: 'Wahrscheinlichste Token',
    rankOf: (token) => `Rang von „${token}“`,
    output: 'letzte',
    embeddings: 'Worteinbettungen',
    since: (token, layer, last) =>
      `Das Modell sagt „${token}“ vorher. Es ist ab Schicht ${layer} von ${last} das wahrscheinlichste Token.`,
    onlyLast: (token, last) =>
      `Das Modell sagt „${token}“ vorher. In keiner Schicht vor der letzten, ${last}, ist es das wahrscheinlichste Token.`,
    grid: 'Das wahrscheinlichste nächste Token nach jedem der letzten Token des Prompts',
    after: 'Nach',
    hidden:
      'Dieses Modell zeigt seine Schichten nicht: Sein Graph berechnet letzte Schicht und letzte Norm in einem Schritt.',
  },
  steering: {
    title: 'Was ändert ein Konzept?',
    text: 'Ein Konzept ist der mittlere Unterschied der inneren Zustände zwischen den beiden Seiten von Textpaaren, etwa Lob und Tadel. Addiert man es nach einer Schicht zu den inneren Zuständen, so steuert es, was das Modell für wahrscheinlich hält und was es schreibt. Eine negative Stärke steuert in die andere Richtung.',
    source: 'Quellen: Zou et al. 2023, arXiv:2310.01405; Panickssery et al. 2023, arXiv:2312.06681',
    fields: {
      positive: 'Texte der einen Seite, einer je Zeile',
      negative: 'Texte der anderen Seite, Zeile für Zeile',
      prompt: 'Prompt',
      first: 'Erste Antwort',
      second: 'Zweite Antwort',
    },
    missing: 'Geben Sie auf beiden Seiten gleich viele Texte ein, dazu einen Prompt und zwei Antworten.',
    run: 'Konzept bilden',
    strength: 'Stärke',
    written: 'Das Modell schreibt',
    shown: (first, firstShare, second, secondShare) => `„${first}“ ${firstShare}, „${second}“ ${secondShare}.`,
    writes: (text) => `Das Modell schreibt „${text}“.`,
    table: (layer, layers) =>
      `Wahrscheinlichkeit beider Antworten bei jeder Stärke, gesteuert nach Schicht ${layer} von ${layers}`,
    reversed: (strength) =>
      `Bei Stärke ${strength} wird die Antwort, die ohne Steuerung weniger wahrscheinlich ist, zur wahrscheinlicheren.`,
    never: 'Bei keiner dieser Stärken wird die weniger wahrscheinliche Antwort zur wahrscheinlicheren.',
    stored: 'Das Konzept ist auf diesem Gerät als Zahlen gespeichert, ohne die Texte. Seine ID in der API:',
    unable: 'Dieses Modell lässt sich nicht steuern: Seine inneren Zustände sind hier nicht erreichbar.',
  },
  save: {
    label: 'Diagramm speichern',
    csv: 'CSV speichern',
  },
  figure: {
    lead: 'Wie ähnlich sich die Texte in jeder Schicht sind',
    detail: (pooling) => `Kosinus-Ähnlichkeit der inneren Zustände. Pooling: ${pooling}.`,
    texts: 'Texte',
    model: 'Modell',
  },
};

/** The German texts of this folder, by part. */
export const german = { inside: INSIDE_DE };
