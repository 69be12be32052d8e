import { ElementType } from '../../workers/engine/codec/tensor-proto.ts';
import type { ValueInfo } from '../../workers/engine/codec/model-proto.ts';
import { refuse } from '../../workers/engine/network.ts';
import type { FileDigest } from '../../workers/engine/codec/data-files.ts';

/** A file of the model as it lies beside the rewritten graph. */
export interface SourceFile extends FileDigest {
  readonly from: string;
  readonly name: string;
}

interface ModelDescription {
  readonly name: string;
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
  readonly sources: readonly [SourceFile, ...SourceFile[]];
}

/** The texts of a repository, by path: how to start it, and descriptions of the model for each inference server. */
export function repositoryFiles(model: ModelDescription): Readonly<Record<string, string>> {
  return {
    [`models/${model.name}/config.pbtxt`]: tritonConfig(model),
    'kserve/inference-service.yaml': kserveManifest(model),
    'ray/serve_app.py': RAY_APP,
    'ray/requirements.txt': RAY_REQUIREMENTS,
    'README.md': readmeOf(model),
  };
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
function tritonConfig({ name, inputs, outputs, sources }: ModelDescription): string {
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

/** Triton ignores it; people and scripts can read it. */
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
const MAX_NAME = 47;

/**
 * Name of the InferenceService of a model.
 *
 * @source kserve/kserve, pkg/apis/serving/v1beta1/inference_service_validation.go, IsvcNameFmt: `[a-z]([-a-z0-9]*[a-z0-9])?`
 */
function serviceName(model: string): string {
  const label = model.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return (/^[a-z]/.test(label) ? label : `model-${label}`).slice(0, MAX_NAME).replace(/-+$/, '');
}

/** KServe's manifest: a runtime of Triton, and the model on it. @source KServe, serving.kserve.io/v1alpha1 and v1beta1 */
function kserveManifest({ name }: Pick<ModelDescription, 'name'>): string {
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

function readmeOf({ name, sources }: ModelDescription): string {
  return `# ${name} for an inference server

Made by \`lightwell export-engine\`. Everything here speaks the Open Inference Protocol v2; Lightwell needs nothing else.

| file                                   | what it is                                                                    |
| -------------------------------------- | ----------------------------------------------------------------------------- |
| \`models/${name}/1/model.onnx\` | the rewritten graph; its weights lie in the files beside it |
${sources.map(sourceRow(name)).join('\n')}
| \`models/${name}/config.pbtxt\` | for Triton |
| \`kserve/inference-service.yaml\` | for KServe |
| \`ray/serve_app.py\` | for Ray Serve |
| \`SHA256SUMS\` | of every other file: \`sha256sum -c SHA256SUMS\` |

The output \`lightwell/digest\` of each answer has the SHA-256 of each file that it was made from. Lightwell compares them, and
runs a self-test over the wire before it uses the engine.

## Ray Serve: one machine or a few

\`\`\`sh
python3 -m venv venv && venv/bin/pip install -r ray/requirements.txt
REPLICAS=2 THREADS=1 PORT=8000 venv/bin/python ray/serve_app.py
\`\`\`

## Triton

Generated, not run here.

\`\`\`sh
docker run --rm -p 127.0.0.1:8000:8000 -v "$PWD/models:/models" nvcr.io/nvidia/tritonserver:25.08-py3 tritonserver --model-repository=/models
\`\`\`

## KServe on Kubernetes

Generated, not run here. Put the folder \`models\` where \`storageUri\` in the manifest says, then:

\`\`\`sh
kubectl apply -f kserve/inference-service.yaml
kubectl port-forward service/${serviceName(name)}-predictor 8000:80
\`\`\`

## Lightwell

\`\`\`sh
LIGHTWELL_ENGINE_TOKEN=... lightwell --engine http://localhost:8000 --engine-models ${name}
\`\`\`

An engine elsewhere needs https. The token is optional and stays in the local server. Then: Settings, Remote engine.
`;
}

function sourceRow(model: string) {
  return ({ file, name, sha256 }: SourceFile) =>
    `| \`models/${model}/1/${name}\` | ${file === 'graph' ? 'the graph' : 'the data file'} that it was made from, SHA-256 ${sha256} |`;
}

// cspell:disable -- Python
/** Pinned. `ray[serve]` brings more; these are enough for serving over HTTP. */
const RAY_REQUIREMENTS = `ray==2.58.0
fastapi==0.142.2
starlette==1.7.0
uvicorn==0.54.0
aiohttp==3.14.3
grpcio==1.84.0
prometheus_client==0.26.0
pydantic==2.13.5
onnxruntime==1.30.0
numpy==2.3.5
jinja2==3.1.6
`;

/** Serves the exported models by Ray Serve, as the Open Inference Protocol v2 with its binary extension; under 60 lines. */
const RAY_APP = `"""Models of this folder behind Ray Serve, as the Open Inference Protocol v2. Start: python serve_app.py"""
import asyncio, json, os
from pathlib import Path
import numpy as np
import onnxruntime as ort
from fastapi import FastAPI, HTTPException, Request, Response
from ray import serve

MODELS = Path(os.environ.get("MODELS", Path(__file__).resolve().parent.parent / "models"))
TYPES = {"BOOL": np.bool_, "UINT8": np.uint8, "INT32": np.int32, "INT64": np.int64, "FP16": np.float16, "FP32": np.float32}
NAMES = {"bool": "BOOL", "uint8": "UINT8", "int32": "INT32", "int64": "INT64", "float16": "FP16", "float": "FP32", "float32": "FP32"}
app = FastAPI()

@serve.deployment(num_replicas=int(os.environ.get("REPLICAS", "1")), max_ongoing_requests=4)
@serve.ingress(app)
class Engine:
    def __init__(self):
        options = ort.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("THREADS", "1"))
        self.models = {file.parts[-3]: ort.InferenceSession(str(file), options) for file in MODELS.glob("*/1/model.onnx")}
    @app.get("/v2")
    def server(self):
        return {"name": "ray-serve", "version": "2", "extensions": ["binary_tensor_data"], "pid": os.getpid()}
    @app.get("/v2/health/ready")
    def ready(self):
        return {"ready": True}
    def model(self, name):
        if name not in self.models:
            raise HTTPException(404, f"no model {name}")
        return self.models[name]
    @app.get("/v2/models/{name}")
    def metadata(self, name: str):
        told = lambda tensor: {"name": tensor.name, "datatype": NAMES[tensor.type[7:-1]], "shape": [s if isinstance(s, int) else -1 for s in tensor.shape]}
        inputs, outputs = self.model(name).get_inputs(), self.model(name).get_outputs()
        return {"name": name, "versions": ["1"], "platform": "onnx_onnxv1", "inputs": [*map(told, inputs)], "outputs": [*map(told, outputs)]}
    @app.post("/v2/models/{name}/infer")
    async def infer(self, name: str, request: Request):
        model, body = self.model(name), await request.body()
        at = int(request.headers.get("inference-header-content-length", len(body)))
        asked, feeds, outputs, raw = json.loads(body[:at]), {}, [], []
        for each in asked["inputs"]:
            size, kind = each.get("parameters", {}).get("binary_data_size"), TYPES[each["datatype"]]
            flat = np.array(each["data"], kind) if size is None else np.frombuffer(body[at : at + size], kind)
            feeds[each["name"]], at = flat.reshape(each["shape"]), at + (size or 0)
        names = [each["name"] for each in asked["outputs"]]
        for each, value in zip(asked["outputs"], await asyncio.to_thread(model.run, names, feeds)):
            is_raw = each.get("parameters", {}).get("binary_data", False)
            values = {"parameters": {"binary_data_size": value.nbytes}} if is_raw else {"data": value.ravel().tolist()}
            outputs.append({"name": each["name"], "datatype": NAMES[value.dtype.name], "shape": value.shape, **values})
            raw += [value.tobytes()] if is_raw else []
        head = json.dumps({"model_name": name, "model_version": "1", "outputs": outputs}).encode()
        headers = {"Inference-Header-Content-Length": str(len(head))} if raw else {}
        kind = "application/octet-stream" if raw else "application/json"
        return Response(head + b"".join(raw), media_type=kind, headers=headers)

engine = Engine.bind()
if __name__ == "__main__":
    serve.start(http_options={"host": os.environ.get("HOST", "127.0.0.1"), "port": int(os.environ.get("PORT", "8000"))})
    serve.run(engine, blocking=True)
`;
