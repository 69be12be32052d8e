import { toBase64 } from '../../../contract/wire/base64.ts';
import { promptWords } from './words.en.ts';
import { type Picture, PICTURE_TYPES } from '../../../explanations/question.ts';

/** Larger files are scaled down: a browser's storage, and a link, hold little more. */
const LARGEST_BYTES = 256 * 1024;

/** Longest side after scaling, pixels; models read a few hundred. */
const LONGEST_SIDE = 1024;

/**
 * A file as a picture of the prompt; a large one is scaled down.
 *
 * @throws {TypeError} for a file that is not PNG, JPEG or WebP, or cannot be decoded; the message is for the user
 */
export async function readPictureFile(file: File): Promise<Picture> {
  const words = promptWords().picture;
  const { name } = file;
  if (!PICTURE_TYPES.some((type) => type === file.type))
    throw new TypeError(file.type === '' ? words.unknownType : words.wrongType(file.type));
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new TypeError(words.undecodable(name));
  try {
    const blob = file.size > LARGEST_BYTES ? await scaledDown(bitmap) : file;
    return { name, type: blob.type, data: toBase64(new Uint8Array(await blob.arrayBuffer())) };
  } finally {
    bitmap.close();
  }
}

/** As WebP; WebKit cannot write it and makes a PNG several times as large, so there it is JPEG, on white. */
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
