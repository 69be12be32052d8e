import type { Translation } from '../translation.ts';

/** See `INSIDE`. */
export const INSIDE_DE: Translation['inside'] = {
  title: 'Innen',
  claim: 'Wie sich die Zahlen für einen Text von Schicht zu Schicht des Modells ändern.',
  similarity: {
    title: 'Wie ähnlich sind sich Texte?',
    text: 'Nach jeder seiner {layers} hat das Modell einen {hiddenState} für jedes {token}. Durch {pooling} wird daraus eine Liste von Zahlen, und der {cosine} sagt, wie ähnlich sich zwei Listen sind.',
    label: (number) => `Text ${number}`,
    add: 'Text hinzufügen',
    remove: (number) => `Text ${number} entfernen`,
    needed: 'Geben Sie mindestens zwei Texte ein.',
    examples: 'Beispiele',
    sets: { topics: 'Zwei Themen', negation: 'Mit „not“', order: 'Wortfolge', bank: 'Zweimal „bank“' },
    pooling: 'Pooling',
    poolings: {
      mean: 'Mittel',
      weighted_mean: 'Gewichtetes Mittel',
      max: 'Maximum',
      last_token: 'Letztes Token',
      abs_max: 'Größter Betrag',
    },
    chart: 'Ähnlichkeit jedes Paars nach Schicht',
    axis: 'Schicht',
    pair: 'Paar',
    layer: (number) => `Schicht ${number}`,
    embeddings: 'Schicht 0 sind die Worteinbettungen',
    table:
      'Kosinus-Ähnlichkeit in jeder Schicht. Zeigen Sie auf eine Zeile oder springen Sie mit der Tabulatortaste hin, um ihre Linie zu sehen.',
    pairOf: (a, b) => `${a} und ${b}`,
    chartFailed: 'Das Diagramm konnte nicht geladen werden. Die Tabelle enthält die Zahlen.',
    sameBoth: (pair, from, to) =>
      `Die Texte ${pair} sind sich in Schicht 0 (${from}) und in der letzten Schicht (${to}) am ähnlichsten.`,
    other: (first, from, last, to) =>
      `In Schicht 0 sind sich die Texte ${first} am ähnlichsten (${from}), in der letzten Schicht die Texte ${last} (${to}).`,
    moved: (pair, from, to) =>
      `Am meisten bewegen sich die Texte ${pair}: von ${from.value} in Schicht ${from.layer} auf ${to.value} in Schicht ${to.layer}.`,
    spread: (low, high, lastLow, lastHigh) =>
      `Die Ähnlichkeiten liegen in Schicht 0 zwischen ${low} und ${high}, in der letzten Schicht zwischen ${lastLow} und ${lastHigh}. Vergleichen Sie sie miteinander: Eine hohe Zahl allein sagt wenig.`,
    one: (from, to) => `Die beiden Texte: ${from} in Schicht 0, ${to} in der letzten Schicht.`,
  },
  matrix: {
    title: 'In einer Schicht',
    slider: 'Schicht',
    caption: (layer) => `Kosinus-Ähnlichkeit der Texte in Schicht ${layer}`,
  },
  tokens: {
    save: 'Token speichern (CSV)',
    title: 'Token für Token',
    text: 'Die {tokens} zweier Texte in einer {layer}. Dasselbe Wort kann für etwas anderes stehen: Seinen {hiddenState} bestimmen die Wörter davor mit.',
    first: 'Erster Text',
    second: 'Zweiter Text',
    run: 'Tokens vergleichen',
    caption: (layer) => `Kosinus-Ähnlichkeit jedes Tokens des ersten Textes mit jedem des zweiten, Schicht ${layer}`,
    cut: (count) => `Verglichen werden nur die ersten ${count} Tokens jedes Textes.`,
    closest: (a, b, value) => `Das ähnlichste Paar verschiedener Tokens: „${a}“ und „${b}“ (${value}).`,
    same: (token, low, high) =>
      low === high
        ? `„${token}“ steht in beiden Texten, mit einer Ähnlichkeit von ${low}.`
        : `„${token}“ steht in beiden Texten, mit Ähnlichkeiten von ${low} bis ${high}.`,
  },
  lens: {
    save: 'Vorhersagen speichern (CSV)',
    title: 'Was würde jede Schicht vorhersagen?',
    text: 'Der letzte Schritt des Modells macht aus dem letzten {hiddenState} {logits} und daraus eine {probability} für jedes {token}. Auf frühere Schichten angewandt, sagt er, was das Modell vorhersagen würde, wenn es dort endete. Das heißt „Logit Lens“. Das Modell hat nur gelernt, in der letzten Schicht vorherzusagen. Was frühere Schichten sagen, ist deshalb ein Hinweis und keine Antwort.',
    source: 'Quelle: nostalgebraist, “interpreting GPT: the logit lens”, 2020',
    target: 'Ziel, wenn Sie mögen',
    table: 'Wahrscheinlichste nächste Tokens in jeder Schicht, hinter dem letzten Token des Prompts; die über 0,1 %',
    layer: 'Schicht',
    likeliest: 'Wahrscheinlichste Tokens',
    rankOf: (token) => `Rang von „${token}“`,
    output: 'letzte',
    embeddings: 'Worteinbettungen',
    since: (token, layer, last) =>
      `Das Modell sagt „${token}“ vorher. Es ist ab Schicht ${layer} von ${last} das wahrscheinlichste Token.`,
    onlyLast: (token, last) =>
      `Das Modell sagt „${token}“ vorher. In keiner Schicht vor der letzten, ${last}, ist es das wahrscheinlichste Token.`,
    grid: 'Das wahrscheinlichste nächste Token hinter jedem der letzten Tokens des Prompts',
    behind: 'Hinter',
    hidden:
      'Dieses Modell zeigt seine Schichten nicht: Sein Graph berechnet letzte Schicht und letzte Norm in einem Schritt.',
  },
  save: {
    label: 'Diagramm speichern',
    svg: 'SVG speichern',
    png: 'PNG speichern',
    csv: 'CSV speichern',
    failed: 'Der Browser konnte diese Datei nicht zeichnen.',
  },
  figure: {
    lead: 'Wie ähnlich sich die Texte in jeder Schicht sind',
    detail: (pooling) => `Kosinus-Ähnlichkeit der inneren Zustände. Pooling: ${pooling}.`,
    texts: 'Texte',
    model: 'Modell',
  },
};
