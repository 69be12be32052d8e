import { parseAllDocuments } from 'yaml';
import { z } from 'zod';

/** A DNS label. @source kubernetes/apimachinery, pkg/util/validation: IsDNS1123Label */
const label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/);

/** @source kserve/kserve, config/crd/full/serving.kserve.io_servingruntimes.yaml: pattern of `resources` */
const quantity = z.string().regex(/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/);

const protocol = z.enum(['v1', 'v2', 'grpc-v1', 'grpc-v2']);

/** @source the same file, items of `containers`; the fields that an export may use */
const container = z.strictObject({
  name: label,
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  ports: z
    .array(
      z.strictObject({
        containerPort: z.int32().min(1).max(65_535),
        name: z.string().optional(),
        protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional(),
      }),
    )
    .optional(),
  resources: z
    .strictObject({
      requests: z.record(z.string(), quantity).optional(),
      limits: z.record(z.string(), quantity).optional(),
    })
    .optional(),
});

/** @source kserve/kserve, pkg/apis/serving/v1alpha1/servingruntime_types.go */
const servingRuntime = z.strictObject({
  apiVersion: z.literal('serving.kserve.io/v1alpha1'),
  kind: z.literal('ServingRuntime'),
  metadata: z.strictObject({ name: label }),
  spec: z.strictObject({
    supportedModelFormats: z
      .array(
        z.strictObject({
          name: z.string(),
          version: z.string().optional(),
          autoSelect: z.boolean().optional(),
          priority: z.int32().min(1).optional(),
        }),
      )
      .optional(),
    multiModel: z.boolean().optional(),
    disabled: z.boolean().optional(),
    protocolVersions: z.array(protocol).optional(),
    containers: z.array(container).min(1),
  }),
});

/**
 * A DNS label, less what KServe and Knative put behind it.
 *
 * @source kserve/kserve, pkg/apis/serving/v1beta1/inference_service_validation.go: IsvcNameFmt
 */
const serviceName = z
  .string()
  .max(63 - '-predictor'.length - '-00001'.length)
  .regex(/^[a-z](?:[-a-z0-9]*[a-z0-9])?$/);

/** @source the same: SupportedStorageURIPrefixList */
const storageUri = z.string().regex(/^(?:gs|s3|pvc|file|https|http):\/\/\S+$/);

/** @source kserve/kserve, pkg/apis/serving/v1beta1: PredictorSpec, ComponentExtensionSpec, ModelSpec, PredictorExtensionSpec */
const inferenceService = z.strictObject({
  apiVersion: z.literal('serving.kserve.io/v1beta1'),
  kind: z.literal('InferenceService'),
  metadata: z.strictObject({ name: serviceName }),
  spec: z.strictObject({
    predictor: z.strictObject({
      minReplicas: z.int().min(0).optional(),
      maxReplicas: z.int().min(0).optional(),
      containerConcurrency: z.int().min(0).optional(),
      timeout: z.int().optional(),
      model: z.strictObject({
        modelFormat: z.strictObject({ name: z.string(), version: z.string().optional() }),
        runtime: z.string().optional(),
        protocolVersion: protocol.optional(),
        storageUri,
      }),
    }),
  }),
});

const manifest = z.tuple([servingRuntime, inferenceService]);

/** What an export applies to a cluster. */
export type KserveManifest = z.infer<typeof manifest>;

/**
 * Reads a manifest strictly: a key that the definitions above do not have is refused.
 *
 * @param version  of YAML: Kubernetes reads 1.1, others 1.2
 * @throws {Error} of the YAML, or naming each field that does not fit
 */
export function readKserveManifest(text: string, version: '1.1' | '1.2'): KserveManifest {
  const documents = parseAllDocuments(text, { version, strict: true, uniqueKeys: true });
  if (!Array.isArray(documents)) throw new Error('expected documents, got an empty text');
  for (const { errors, warnings } of documents) for (const each of [...errors, ...warnings]) throw each;
  return manifest.parse(documents.map((document): unknown => document.toJS()));
}
