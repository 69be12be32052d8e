import { FailureError } from '../../../src/contract/failure.ts';
import type { JobImage, Square } from '../../../src/protocol/prompt.ts';
import type { ImageReader, Picture } from '../../engine/images/image-reader.ts';
import { centreSquare, type SeenPicture } from '../../kernels/images/image-tiles.ts';
import { ownBytes } from '../../kernels/own-bytes.ts';

/** A picture as the network reads it. */
export interface ReadPicture {
  readonly seen: SeenPicture;
  /** Input embeddings, `[tokens, width]`. */
  readonly rows: Float32Array;
}

/**
 * Decodes an image and encodes what the model sees of it.
 *
 * @param path  of the item in the request
 * @throws {FailureError} INVALID_REQUEST for a file that cannot be decoded, or a crop outside the picture
 */
export async function readPicture(
  { file, format, crop }: JobImage,
  path: string,
  reader: ImageReader,
): Promise<ReadPicture> {
  const picture = await reader.decode(ownBytes(file), format);
  if (!picture) throw invalid(`${path}.data`, `a ${format} file that can be decoded`, 'a broken one');
  try {
    const { width, height } = picture;
    const square = crop ? checkedCrop(crop, picture, path) : centreSquare(width, height);
    return { seen: { width, height, square, grid: reader.grid }, rows: await reader.embed(picture, square) };
  } finally {
    picture.close();
  }
}

function checkedCrop(crop: Square, { width, height }: Picture, path: string): Square {
  const { x, y, size } = crop;
  if (x + size > width) throw invalid(`${path}.x`, `x + size of at most ${width}`, `${x + size}`);
  if (y + size > height) throw invalid(`${path}.y`, `y + size of at most ${height}`, `${y + size}`);
  return crop;
}

function invalid(path: string, expected: string, got: string): FailureError {
  return new FailureError('INVALID_REQUEST', `${path}: expected ${expected}, got ${got}`);
}
