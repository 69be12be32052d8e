import { spokenTag } from './spoken.ts';

/** Forms of a counted noun, as `Intl.PluralRules` names them; English and German need `one` and `other`. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** A number as the spoken language writes it: `1,024.5` in English, `1.024,5` in German. */
export function numberText(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(spokenTag(), options);
}

/** A number with the form of its noun: `1 token`, `1,024 tokens`. */
export function countText(count: number, noun: Plural): string {
  const form = noun[new Intl.PluralRules(spokenTag()).select(count)] ?? noun.other;
  return `${numberText(count)} ${form}`;
}

/** Texts in a row, as the spoken language joins them: `a, b and c`. */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(spokenTag() === 'en' ? 'en-GB' : spokenTag(), { type: 'conjunction' }).format(items);
}
