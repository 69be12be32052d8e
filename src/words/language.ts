/** Forms of a counted noun, as `Intl.PluralRules` names them; English and German need `one` and `other`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Made once for each language and form: a table of scores writes thousands of numbers. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${languageTag()} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.NumberFormat(languageTag(), { signDisplay: 'negative', ...options }); // no −0
  formats.set(key, made);
  return made;
}

/**
 * A number as the current language writes it: `1,024.5` in English, `1.024,5` in German; three decimals at most, and a true
 * minus where it is negative.
 */
export function numberText(value: number, options: Intl.NumberFormatOptions = {}): string {
  return formatOf(options).format(value).replace('-', '−');
}

/** With a fixed number of decimals, as in a column of numbers: `7.80`. */
export function fixedText(value: number, digits: number, signDisplay: 'negative' | 'exceptZero' = 'negative'): string {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberText(value, { ...decimals, useGrouping: false, signDisplay });
}

/** With all decimals that it has and no separators, as in a field: `0.0125`, `10000`. */
export function exactText(value: number): string {
  return numberText(value, { maximumFractionDigits: 20, useGrouping: false });
}

/** The characters between thousands and in front of decimals. */
function separators(): { readonly group: string; readonly decimal: string } {
  const parts = formatOf({}).formatToParts(12345.6);
  const sign = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value ?? '';
  return { group: sign('group'), decimal: sign('decimal') };
}

/**
 * A typed number: with the separators of the current language, or with a point or a comma before decimals where no thousands
 * can be meant. `1.024` is 1024 in German and `1.5` is 1.5 in both.
 *
 * @returns NaN for other texts, also for an empty one
 */
export function typedNumber(text: string): number {
  const { group, decimal } = separators();
  const typed = text.trim().replace('−', '-');
  const [whole = '', ...decimals] = typed.split(decimal);
  const groups = whole.split(group);
  const isGrouped =
    groups.length > 1 &&
    /^[1-9]\d{0,2}$/.test(groups[0] ?? '') &&
    groups.slice(1).every((digits) => /^\d{3}$/.test(digits));
  const plain = isGrouped ? [groups.join(''), ...decimals].join('.') : typed.replace(',', '.');
  return plain === '' ? NaN : Number(plain);
}

/** A number with the form of its noun: `1 token`, `1,024 tokens`. */
export function countText(count: number, noun: Plural): string {
  const form = noun[new Intl.PluralRules(languageTag()).select(count)] ?? noun.other;
  return `${numberText(count)} ${form}`;
}

/** Texts joined as the current language does: `a, b and c`. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(languageTag() === 'en' ? 'en-GB' : languageTag(), { type: 'conjunction' }).format(items);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Bytes in the largest unit of which there is one: `62.2 MB`. */
export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const maximumFractionDigits = power < 2 ? 0 : 1;
  const unitDisplay = power === 0 ? 'long' : 'short'; // `byte` has no plural in short
  return numberText(bytes / 1000 ** power, { style: 'unit', unit: UNITS[power], unitDisplay, maximumFractionDigits });
}

/** A moment, to the minute: `22 Nov 2026, 23:45`. @param at  milliseconds since 1970 */
export function dateText(at: number): string {
  const tag = languageTag() === 'en' ? 'en-GB' : languageTag();
  return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** Seconds in the largest unit of which there is one, rounded up: `2 minutes`. */
export function durationText(seconds: number): string {
  const [value, unit] =
    seconds < 60 ? [seconds, 'second'] : seconds < 3600 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
  return numberText(Math.ceil(value), { style: 'unit', unit, unitDisplay: 'long' });
}

/** Texts of the parts of the app, by part. English needs none: its texts are in the code. */
export type Translations = Readonly<Record<string, object>>;

let current: { readonly tag: string; readonly tables: Translations } = { tag: 'en', tables: {} };

/** Sets the current language; parts that the tables lack stay English. */
export function setLanguage(tag: string, tables: Translations): void {
  current = { tag, tables };
}

/** BCP 47 tag of the current language. */
export function languageTag(): string {
  return current.tag;
}

/**
 * The texts of a part of the app, in the language that is current at the call.
 *
 * @param name  of the part in the tables
 * @param english  its texts; translations have their type
 */
/* @__NO_SIDE_EFFECTS__ */ export function wordsFor<Words extends object>(name: string, english: Words): () => Words {
  return () => (current.tables[name] as Words | undefined) ?? english;
}

/** A short text with its white space made visible: `␣` for outer spaces, `↵` for line ends. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length));
}
