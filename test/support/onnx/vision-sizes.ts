import { randomWeights, SMALL_SIZES, type DecoderSizes } from './decoder-weights.ts';
import { randomVisionWeights, type VisionSizes } from './vision.ts';

/** Decoder of the vision-language model that tests make. */
export const VLM_SIZES: DecoderSizes = { ...SMALL_SIZES, layers: 2, vocabulary: 4096, contextTokens: 384 };

/** Its image encoder: 12 × 12 patches. */
export const VISION_SIZES: VisionSizes = { side: 48, patch: 4, width: VLM_SIZES.width };

/** Its `preprocessor_config.json`. */
export const PROCESSOR = {
  do_rescale: true,
  rescale_factor: 1 / 255,
  do_normalize: true,
  image_mean: [0.5, 0.4, 0.3],
  image_std: [0.5, 0.25, 0.2],
  resample: 3,
  size: { height: VISION_SIZES.side, width: VISION_SIZES.side },
};

/** Weights of the decoder. */
export const vlmWeights = randomWeights(VLM_SIZES, 23);

/** Weights of the image encoder. */
export const visionWeights = randomVisionWeights(VISION_SIZES, 29);
