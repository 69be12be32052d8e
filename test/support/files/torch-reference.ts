import { fileBytes, place } from '../onnx/place.ts';

/** PyTorch's own numbers for the weights of the builder's fixtures. */
export interface TorchReference {
  readonly logits: readonly number[];
  readonly hs: readonly (readonly number[])[];
}

/** Logits `[tokens · vocabulary]` and hidden states of every layer, `[tokens · width]`. */
export async function torchReference(weights: string): Promise<TorchReference> {
  const bytes = await fileBytes(`${place.data}/graphs/torch-reference-genai.json`);
  // The file is our own measurement; a wrong shape shows in the comparison.
  const all = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, TorchReference>;
  return all[weights] ?? { logits: [], hs: [] };
}
