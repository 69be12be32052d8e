import { EXAMPLE_IDS, type ExampleId } from './example-ids.ts';
import type { StoreApi } from 'zustand/vanilla';
import { isRecord } from '../../contract/records.ts';
import { type BufferedStorage, createPersistentStore } from '../../stores/buffered-storage.ts';
import { hashOfValue, valueInHash } from '../../stores/hash-value.ts';
import { hashOfPart } from '../../stores/page-store.ts';
import type { LessonTexts } from '../../parts/live/text-fields.tsx';
import type { LearnSource, LessonStores } from './lesson-stores.ts';

/** Start of the hash of a link to a prepared set. */
export const CLASS_PREFIX = '#class=';

interface LearnState {
  readonly source: LearnSource;
  /** The live examples; their code loads with the page; null until `lessonStoresOf` creates them. */
  stores: LessonStores | null;
  /** The set of the last link; unchecked until `readSet` reads it. */
  readonly prepared: unknown;
  readonly isLinkUnreadable: boolean;
  /** The set that is being prepared for a link; not stored. */
  readonly draft: PreparedSet;
  /** Opens the set of a link. */
  open(hash: string): void;
  change(draft: Partial<PreparedSet>): void;
}

/** A store with the set that was opened last. */
export function createLearnStore(source: LearnSource, memory: BufferedStorage): StoreApi<LearnState> {
  return createPersistentStore<LearnState, 'prepared'>(
    'lightwell.learn',
    memory,
    { prepared: (stored) => stored ?? null },
    (set) => ({
      source,
      stores: null,
      prepared: null,
      isLinkUnreadable: false,
      draft: { title: '', examples: [], own: [] },
      open(hash) {
        const prepared = setInHash(hash);
        set(prepared ? { prepared, isLinkUnreadable: false } : { isLinkUnreadable: true });
      },
      change: (part) => set(({ draft }) => ({ draft: { ...draft, ...part } })),
    }),
  );
}

/** A set that a teacher has prepared: examples by their names, and own questions. */
export interface PreparedSet {
  /** Empty for none. */
  readonly title: string;
  readonly examples: readonly ExampleId[];
  readonly own: readonly LessonTexts[];
}

/** Version of the links. Links of other versions are not read: raise it when the format of a set changes. */
const VERSION = 1;

/** Most own questions of a link, and most UTF-16 units of each text. */
const MAX_OWN = 24;
const MAX_TEXT_UNITS = 8000;

/** The part of a set that a link may contain: title and own questions only with `text`, where the sender has agreed. */
export function sharedSetOf(set: PreparedSet, { text }: { readonly text: boolean }): PreparedSet {
  return text ? set : { ...set, title: '', own: [] };
}

/** A set as the hash of an address. */
export function hashOfSet({ title, examples, own }: PreparedSet): string {
  return hashOfValue(CLASS_PREFIX, { version: VERSION, title, examples, own });
}

/** The set in a hash; null where the link is damaged, of another version, or empty. */
export function setInHash(hash: string): PreparedSet | null {
  const value = valueInHash(CLASS_PREFIX, hash);
  return isRecord(value) && value['version'] === VERSION ? readSet(value) : null;
}

/** The set in a parsed value of unknown origin; null if it is not one. Unknown examples are left out. */
export function readSet(value: unknown): PreparedSet | null {
  if (!isRecord(value)) return null;
  const { title, examples, own } = value;
  if (!isText(title) || !Array.isArray(examples) || !Array.isArray(own) || own.length > MAX_OWN) return null;
  if (!own.every(isQuestion)) return null;
  const known = EXAMPLE_IDS.filter((id) => examples.includes(id));
  const questions = own.map(({ prompt, target }) => ({ prompt, target }));
  return known.length + questions.length === 0 ? null : { title, examples: known, own: questions };
}

function isQuestion(value: unknown): value is LessonTexts {
  return isRecord(value) && isText(value['prompt']) && isText(value['target']);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT_UNITS;
}

/** Removes a link to a prepared set from the page's address, which then names the page that shows it; null without one. */
export function takeClassLink({ location }: { readonly location: Pick<Location, 'hash' | 'replace'> }): string | null {
  const { hash } = location;
  if (!hash.startsWith(CLASS_PREFIX)) return null;
  location.replace(hashOfPart('learn', 'set'));
  return hash;
}
