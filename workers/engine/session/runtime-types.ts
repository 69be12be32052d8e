import type * as Runtime from 'onnxruntime-web/webgpu';

/** ONNX Runtime as the engine is given it: the page's worker and the tests set it up differently. */
export type Ort = typeof Runtime;
export type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
