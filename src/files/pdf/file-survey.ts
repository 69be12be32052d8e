import { createPause } from '../../contract/pause.ts';

/** What the bytes of a file say before it is opened. */
export interface FileSurvey {
  /** Those that several pages show are counted once, and masks of others are not. */
  readonly pictures: number;
  /** Whether a dictionary may have this key: parsers need not be asked for what no file has. */
  mayHave(key: Key): boolean;
}

type Key = 'OCProperties' | 'Annots' | 'EmbeddedFiles' | 'XFA' | 'StructTreeRoot' | 'ActualText';

/**
 * The beginning of an object, an entry that makes its dictionary that of an image, a reference to a mask, and names: those of keys, of
 * packed objects, and those that may be written in another way. Images are streams, whose dictionaries are never packed.
 *
 * @source ISO 32000-1, sections 7.3.5, 7.3.10, 7.5.7, 8.9.5 and 11.6.5
 */
const PARTS =
  /(\d+)\s+\d+\s+obj\b|(\/Subtype\s*\/Image\b)|\/S?Mask\s+(\d+)\s+\d+\s+R\b|\/(OCProperties|Annots|EmbeddedFiles|XFA|StructTreeRoot|ActualText|ObjStm|\w*#)/g;

/** Names that may contain any other: packed, or with a character as its number. */
const ANY = ['ObjStm', '#'];

/** Bytes that are searched in one task of the page, and more of them for an entry across the end. */
const [SEARCHED, ENTRY] = [2 ** 20, 64];

/** Looks through a file without parsing it. */
export async function surveyOf(bytes: Uint8Array): Promise<FileSurvey> {
  const decoder = new TextDecoder('latin1');
  const pause = createPause();
  const [images, masks, names] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let current = '';
  for (let at = 0; at < bytes.length; at += SEARCHED) {
    const part = decoder.decode(bytes.subarray(at, at + SEARCHED + ENTRY));
    for (const [, begun, image, mask, name] of part.matchAll(PARTS))
      if (begun !== undefined) current = begun;
      else if (image !== undefined) images.add(current);
      else if (mask !== undefined) masks.add(mask);
      else if (name !== undefined) names.add(name.endsWith('#') ? '#' : name);
    await pause();
  }
  const isAny = ANY.some((name) => names.has(name));
  return {
    pictures: [...images].filter((object) => !masks.has(object)).length,
    mayHave: (key) => isAny || names.has(key),
  };
}
