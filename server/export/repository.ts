import { ElementType } from '../../workers/engine/codec/element-type.ts';
import type { ValueInfo } from '../../workers/engine/codec/value-info.ts';
import { refuse } from '../../workers/engine/refusal.ts';
import type { SourceFile } from './source-files.ts';

/** A model as the files of a repository describe it. */
export interface Described {
  readonly name: string;
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  /** The files that it was made from, the graph first. */
  readonly sources: readonly [SourceFile, ...SourceFile[]];
}

/** Triton's names of element types. @source triton-inference-server/common, model_config.proto, DataType */
const TRITON_TYPES: Readonly<Record<number, string>> = {
  [ElementType.float32]: 'TYPE_FP32',
  [ElementType.float16]: 'TYPE_FP16',
  [ElementType.int32]: 'TYPE_INT32',
  [ElementType.int64]: 'TYPE_INT64',
  [ElementType.bool]: 'TYPE_BOOL',
  [ElementType.uint8]: 'TYPE_UINT8',
};

/**
 * Triton's `config.pbtxt`. `max_batch_size` is 0: the graph has several lengths that change from request to request, and the
 * batch is one of them.
 *
 * @throws {FailureError} MODEL_UNAVAILABLE for an input whose type or rank cannot be stated
 */
export function tritonConfig({ name, inputs, outputs, sources }: Described): string {
  const block = (key: string, tensors: readonly ValueInfo[]) => `${key} [\n${tensors.map(tensorText).join(',\n')}\n]\n`;
  return [
    `name: ${JSON.stringify(name)}\n`,
    'backend: "onnxruntime"\n',
    'max_batch_size: 0\n',
    block('input', inputs),
    block(
      'output',
      outputs.filter(({ dimensions }) => dimensions !== null),
    ),
    ...sources.map(sourceText),
  ].join('');
}

/** Triton leaves it alone; people and scripts can read it. */
function sourceText({ name, sha256 }: SourceFile): string {
  const key = JSON.stringify(`lightwell.sha256/${name}`);
  return `parameters { key: ${key} value { string_value: "${sha256}" } }\n`;
}

function tensorText({ name, type, dimensions }: ValueInfo): string {
  const datatype = TRITON_TYPES[type];
  if (datatype === undefined || dimensions === null)
    return refuse(`"${name}" has no type or rank that a server could be told (ONNX element type ${type})`);
  const dims = dimensions.map((length) => (typeof length === 'number' ? length : -1));
  return `  { name: ${JSON.stringify(name)} data_type: ${datatype} dims: [ ${dims.join(', ')} ] }`;
}

/** The image that the manifest names; its ONNX Runtime reads the operator sets of the hub's exports. */
const TRITON_IMAGE = 'nvcr.io/nvidia/tritonserver:25.08-py3';

/** Where KServe puts what `storageUri` names, below the root. */
const MOUNTED = 'mnt/models';

/** Of a DNS label's 63 characters, less `-predictor` and the `-00001` of a Knative revision. */
const MOST_NAME = 47;

/**
 * Name of the InferenceService of a model.
 *
 * @source kserve/kserve, pkg/apis/serving/v1beta1/inference_service_validation.go, IsvcNameFmt: `[a-z]([-a-z0-9]*[a-z0-9])?`
 */
export function serviceName(model: string): string {
  const label = model.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return (/^[a-z]/.test(label) ? label : `model-${label}`).slice(0, MOST_NAME).replace(/-+$/, '');
}

/** KServe's manifest: a runtime of Triton, and the model on it. @source KServe, serving.kserve.io/v1alpha1 and v1beta1 */
export function kserveManifest({ name }: Pick<Described, 'name'>): string {
  return `apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata:
  name: lightwell-triton
spec:
  protocolVersions:
    - v2
  supportedModelFormats:
    - name: triton
      version: "2"
      autoSelect: false
  containers:
    - name: kserve-container
      image: ${TRITON_IMAGE}
      args:
        - tritonserver
        - --model-store=/${MOUNTED}
        - --http-port=8080
        - --allow-grpc=false
        - --strict-readiness=true
      ports:
        - containerPort: 8080
          protocol: TCP
      resources:
        requests:
          cpu: "2"
          memory: 4Gi
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  name: ${serviceName(name)}
spec:
  predictor:
    minReplicas: 1
    maxReplicas: 4
    containerConcurrency: 4
    model:
      modelFormat:
        name: triton
      protocolVersion: v2
      runtime: lightwell-triton
      # Where the folder "models" of this export was put: pvc://CLAIM/models, s3://BUCKET/models, gs://BUCKET/models.
      storageUri: pvc://lightwell-models/models
`;
}
