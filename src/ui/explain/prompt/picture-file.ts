import { promptWords } from '../../../words/en/explain/prompt.ts';
import { type Picture, PICTURE_TYPES } from '../../../state/explain/question.ts';

/** Larger files are scaled down: a browser's storage, and a link, hold little more. */
const LARGEST_BYTES = 256 * 1024;

/** Longest side after scaling, pixels; models read a few hundred. */
const LONGEST_SIDE = 1024;

/**
 * A file as a picture of the prompt; a large one is scaled down.
 *
 * @throws {TypeError} for a file that is no PNG, JPEG or WebP, or cannot be decoded; the message is for the user
 */
export async function readPicture(file: File): Promise<Picture> {
  const words = promptWords().picture;
  const { name } = file;
  if (!PICTURE_TYPES.some((type) => type === file.type))
    throw new TypeError(file.type === '' ? words.unknownType : words.wrongType(file.type));
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new TypeError(words.undecodable(name));
  try {
    const kept = file.size > LARGEST_BYTES ? await scaledDown(bitmap) : file;
    return { name, type: kept.type, data: await base64(kept) };
  } finally {
    bitmap.close();
  }
}

/** The first picture among files that were pasted or dropped. */
export function pictureAmong(files: FileList | undefined): File | undefined {
  return [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
}

/** As WebP; WebKit writes none and makes a PNG file of several times the size instead, so there it is JPEG, on white. */
async function scaledDown(bitmap: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
  if (webp.type === 'image/webp' || context === null) return webp;
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.onerror = () => reject(new TypeError(promptWords().picture.unreadable));
    reader.readAsDataURL(blob);
  });
}

/** A picture as the source of an image element. */
export function dataUrl({ type, data }: Picture): string {
  return `data:${type};base64,${data}`;
}
