import { type Described, serviceName } from './repository.ts';
import type { SourceFile } from './source-files.ts';

/** How the folder is started, in three ways. */
export function exportReadme({ name, sources }: Pick<Described, 'name' | 'sources'>): string {
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
