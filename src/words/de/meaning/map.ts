import { countText, numberText } from '../../numbers.ts';
import type { Translation } from '../../translation.ts';

const texts = (count: number) => countText(count, { one: 'Text', other: 'Texte' });
const ofTexts = (count: number) => countText(count, { one: 'Text', other: 'Texten' });

/** See `MEANING_MAP`. */
export const MEANING_MAP_DE: Translation['meaning/map'] = {
  canvas: (count) => `Karte von ${ofTexts(count)}`,
  keys: 'Pfeiltasten gehen von Text zu Text, + und − vergrößern und verkleinern, 0 zeigt alles, Eingabe wählt einen Text, Esc vergisst die Auswahl. Ziehen verschiebt; mit dem Lasso ziehen Sie um Texte herum.',
  method: 'Art der Karte',
  methods: { umap: 'Nachbarschaften', pca: 'Hauptrichtungen' },
  about: {
    umap: 'UMAP: Was nahe beieinander liegt, ist ähnlich. Abstände zwischen fernen Gruppen und die Größe von Gruppen bedeuten wenig.',
    pca: (percent) =>
      percent === null
        ? 'Hauptkomponenten: die zwei Richtungen, in denen sich die Texte am meisten unterscheiden.'
        : `Hauptkomponenten: die zwei Richtungen, in denen sich die Texte am meisten unterscheiden. Sie enthalten ${percent} % aller Unterschiede.`,
  },
  colour: 'Farbe nach',
  byGroup: 'Gruppe',
  groupCount: 'Anzahl der Gruppen',
  automatic: 'automatisch',
  other: 'alle übrigen',
  noWords: 'keine gemeinsamen Wörter',
  legend: 'Gruppen und Farben',
  choose: (name) => `Alle von ${name} auswählen`,
  lasso: 'Lasso',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  all: 'Alles zeigen',
  drawing: 'Die Karte wird gezeichnet',
  stop: 'Anhalten',
  redraw: (count) => `Mit ${ofTexts(count)} neu zeichnen`,
  pointAt: 'Zeigen Sie auf einen Text oder benutzen Sie die Pfeiltasten.',
  nearest: 'Am ähnlichsten:',
  chosen: (count) => `${texts(count)} ausgewählt`,
  list: 'Alle Texte als Liste',
  forget: 'Auswahl aufheben',
  undo: 'Rückgängig',
  compare: 'Vergleichen',
  compareFirst: (count) => `Die ersten ${numberText(count)} vergleichen`,
  saveChosen: 'Als CSV speichern',
  more: (count) => `${numberText(count)} weitere zeigen`,
  svg: 'SVG speichern',
  png: 'PNG speichern',
  columns: { text: 'Text', group: 'Gruppe', x: 'x', y: 'y' },
};
