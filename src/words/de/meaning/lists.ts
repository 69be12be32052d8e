import { countText, numberText } from '../../numbers.ts';
import type { Translation } from '../../translation.ts';

const texts = (count: number) => countText(count, { one: 'Text', other: 'Texte' });
const ofTexts = (count: number) => countText(count, { one: 'Text', other: 'Texten' });
const examples = (count: number) => countText(count, { one: 'Beispiel', other: 'Beispiele' });

/** See `MEANING_LISTS`. */
export const MEANING_LISTS_DE: Translation['meaning/lists'] = {
  matrix: {
    about: 'Kosinus jedes Textes mit jedem: 1 sagt dasselbe, 0 hat nichts gemeinsam.',
    from: {
      chosen: (count) => `${texts(count)}, auf der Karte ausgewählt`,
      found: (count) => `Die besten ${numberText(count)} Treffer`,
      first: (count) => (count === 1 ? 'Der erste Text' : `Die ersten ${texts(count)}`),
    },
    label: 'Zu vergleichende Texte',
    table: 'Ähnlichkeit von Texten',
    at: (row, column, value) => `${numberText(row)} und ${numberText(column)}: ${value}`,
    point: 'Zeigen Sie auf eine Zelle oder benutzen Sie die Pfeiltasten in der Tabelle.',
    text: 'Text',
    save: 'Als CSV speichern',
  },
  sort: {
    about: 'Geben Sie einigen Texten eine Kategorie. Der Rest wird nach der Bedeutung dieser Beispiele sortiert.',
    column: 'Kategorien aus der Spalte übernehmen',
    noColumn: 'Spalte wählen',
    category: 'Neue Kategorie',
    categoryHint: 'zum Beispiel: Lieferung',
    add: 'Hinzufügen',
    remove: (name) => `${name} entfernen`,
    categories: 'Kategorien',
    examples,
    undo: 'Rückgängig',
    list: 'Texte',
    of: (text) => `Kategorie von: ${text}`,
    none: 'kein Beispiel',
    run: 'Alle Texte sortieren',
    running: 'Sortiert …',
    needs:
      'Zum Sortieren braucht es mindestens zwei Kategorien mit je einem Beispiel. Zwei oder mehr Beispiele je Kategorie erlauben eine Messung.',
    measuredSingly: (percent, count) =>
      `Gemessen: ${percent} % von ${countText(count, { one: 'Beispiel', other: 'Beispielen' })} bekamen ihre eigene Kategorie; jedes wurde einmal weggelassen und nach den anderen sortiert.`,
    measuredInParts: (percent, count, folds) =>
      `Gemessen: ${percent} % von ${countText(count, { one: 'Beispiel', other: 'Beispielen' })} bekamen ihre eigene Kategorie; sie wurden in ${numberText(folds)} Teile geteilt und jeder Teil nach den anderen sortiert.`,
    frequent: (percent) => `Immer die häufigste Kategorie zu nennen, würde ${percent} % erreichen.`,
    notMeasured: 'Nicht gemessen: Eine Kategorie hat nur ein Beispiel. Mit zwei oder mehr je Kategorie geht es.',
    stale: 'Die Beispiele haben sich seitdem geändert. Sortieren Sie noch einmal.',
    results: 'Sortierte Texte',
    show: 'Zeigen',
    all: 'alle Kategorien',
    unsure: 'die unsichersten zuerst',
    certainty: (percent) => `${percent} %`,
    given: 'Beispiel',
    differs: (given) => `von Ihnen: ${given}`,
    columns: {
      text: 'Text',
      category: 'Kategorie',
      probability: 'Wahrscheinlichkeit',
      example: 'vorgegebene Kategorie',
    },
    save: 'Als CSV speichern',
    more: (count) => `${numberText(count)} weitere zeigen`,
  },
  duplicates: {
    about: 'Texte, die fast gleich sind, in Gruppen.',
    least: 'Wie ähnlich Texte sein müssen',
    leastText: (value) => `Kosinus ab ${value}`,
    running: 'Alle Texte werden verglichen',
    stop: 'Anhalten',
    none: (count) => `Keine zwei von ${ofTexts(count)} sind einander so ähnlich.`,
    found: (groups, repeated) =>
      `${countText(groups, { one: 'Gruppe', other: 'Gruppen' })}; ohne Wiederholungen wären es ${texts(repeated)} weniger.`,
    alike: (value) => `Kosinus ${value}`,
    stale: (count) => `Alle ${texts(count)} noch einmal durchsuchen`,
    save: 'Texte ohne Wiederholungen speichern (CSV)',
    text: 'Text',
    more: (count) => `${numberText(count)} weitere zeigen`,
    members: (count) => `und ${texts(count)} mehr`,
  },
};
