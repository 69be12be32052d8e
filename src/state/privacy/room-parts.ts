import { isRecord } from '../explain/question.ts';
import { insideLivesOf } from '../inside/lives.ts';
import { POOLINGS } from '../inside/similarity.ts';
import { type PreparedSet, readSet } from '../learn/class/prepared-set.ts';
import { roomOf } from '../meaning/room.ts';
import type { Stores } from '../stores.ts';
import {
  choiceProblem,
  listProblem,
  objectProblem,
  type Problem,
  type StatePart,
  textProblem,
  unknownFields,
} from './state-part.ts';

/** Parts of rooms that keep their texts in a tab only: a file is how they get to the next visit. */
export function roomParts(stores: Pick<Stores, 'inside' | 'learn' | 'meaning'>): Readonly<Record<string, StatePart>> {
  return { inside: insidePart(stores), learn: learnPart(stores), meaning: meaningPart(stores) };
}

/** Texts to compare, the prompt of the logit lens, and the pooling; what was found is asked again. */
function insidePart({ inside }: Pick<Stores, 'inside'>): StatePart {
  const { similarity, lens } = insideLivesOf(inside.getState().source);
  return {
    read: () => {
      const { prompt, target } = lens.getState().asked;
      return { pooling: inside.getState().pooling, texts: similarity.getState().asked.texts, prompt, target };
    },
    check(value) {
      if (!isRecord(value)) return objectProblem('inside', value);
      const { pooling, texts, prompt, target, ...others } = value;
      return [
        ...choiceProblem('inside.pooling', pooling, POOLINGS),
        ...listProblem('inside.texts', texts),
        ...textProblem('inside.prompt', prompt),
        ...textProblem('inside.target', target),
        ...unknownFields('inside', others, {}),
      ];
    },
    take(value) {
      const { pooling, texts, prompt, target } = value as InsideState;
      inside.getState().choosePooling(pooling);
      similarity.getState().replace({ texts });
      lens.getState().replace({ prompt, target });
      return null;
    },
  };
}

interface InsideState {
  readonly pooling: (typeof POOLINGS)[number];
  readonly texts: readonly string[];
  readonly prompt: string;
  readonly target: string;
}

/** The set that was opened, and the one that is put together; null where there is none. */
function learnPart({ learn }: Pick<Stores, 'learn'>): StatePart {
  const problem = (path: string, value: unknown): Problem[] =>
    value === null || readSet(value) ? [] : [`${path}: expected a set of examples or null`];
  return {
    read: () => ({ set: readSet(learn.getState().prepared), draft: readSet(learn.getState().draft) }),
    check(value) {
      if (!isRecord(value)) return objectProblem('learn', value);
      const { set, draft, ...others } = value;
      return [...problem('learn.set', set), ...problem('learn.draft', draft), ...unknownFields('learn', others, {})];
    },
    take(value) {
      const { set, draft } = value as Readonly<Record<'set' | 'draft', PreparedSet | null>>;
      learn.setState({ prepared: readSet(set), isLinkUnreadable: false });
      learn.getState().change(readSet(draft) ?? { title: '', examples: [], own: [] });
      return null;
    },
  };
}

/** Texts without their vectors: a button reads them again. */
function meaningPart({ meaning }: Pick<Stores, 'meaning'>): StatePart {
  const { collection, input } = roomOf(meaning.getState().source);
  return {
    read: () => {
      const { texts, columns } = collection.getState().collected?.table ?? input.getState().table();
      return { texts, columns };
    },
    check(value) {
      if (!isRecord(value)) return objectProblem('meaning', value);
      const { texts, columns, ...others } = value;
      return [
        ...listProblem('meaning.texts', texts),
        ...(isRecord(columns)
          ? Object.entries(columns).flatMap(([name, column]) => columnProblem(name, column, texts))
          : objectProblem('meaning.columns', columns)),
        ...unknownFields('meaning', others, {}),
      ];
    },
    take(value) {
      const { texts, columns } = value as MeaningState;
      const names = Object.keys(columns);
      if (texts.length === 0) return null; // what is there stays
      const rows = texts.map((text, place) => [text, ...names.map((name) => columns[name]?.[place] ?? '')]);
      input.getState().openRows('lightwell-state.json', { names: [TEXT_COLUMN, ...names], rows });
      input.getState().chooseColumn(TEXT_COLUMN);
      return null;
    },
  };
}

/** Name of the column that the texts get; those of a table are told apart by their place. */
const TEXT_COLUMN = 'text';

interface MeaningState {
  readonly texts: readonly string[];
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

function columnProblem(name: string, column: unknown, texts: unknown): Problem[] {
  const path = `meaning.columns.${name}`;
  const problems = listProblem(path, column);
  if (problems.length > 0 || !Array.isArray(column) || !Array.isArray(texts)) return problems;
  return column.length === texts.length ? [] : [`${path}: expected ${texts.length} texts, got ${column.length}`];
}
