// cspell:disable -- Python
/** What the app runs on, pinned. `ray[serve]` brings more; these are what serving over HTTP needs of it. */
export const RAY_REQUIREMENTS = `ray==2.58.0
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

/** The models of the export behind Ray Serve, as the Open Inference Protocol v2 with its binary extension; under 60 lines. */
export const RAY_APP = `"""Models of this folder behind Ray Serve, as the Open Inference Protocol v2. Start: python serve_app.py"""
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
