"""Makes the calls of a table with OpenAI's official Python client: python calls.py BASE_URL API_KEY TABLE"""

import json
import sys

import openai

base_url, api_key, table = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0)


def value_at(value, path):
    for key in path.split("."):
        if key == "length":
            return len(value)
        if isinstance(value, list):
            value = value[int(key)] if int(key) < len(value) else None
        elif isinstance(value, dict):
            value = value.get(key)
        else:
            return None
    return value


def make(call, user=client):
    """Sends what the table says, with fields that the client has no name for as extra ones."""
    user = user.with_options(api_key=call["apiKey"]) if "apiKey" in call else user
    args = dict(call["args"])
    method = call["method"]
    if method == "models":
        return user.models.list()
    if method == "model":
        return user.models.retrieve(args["model"])
    if method == "explanations":
        return user.post("/explanations", cast_to=object, body=args)
    create = {
        "completions": user.completions.create,
        "chat": user.chat.completions.create,
        "embeddings": user.embeddings.create,
    }[method]
    extra = {name: args.pop(name) for name in ("prompt_logprobs",) if name in args}
    args.setdefault("model", openai.omit)
    return create(**args, extra_body=extra or None)


def plain(result):
    return result.model_dump() if hasattr(result, "model_dump") else result


def joined(stream):
    texts, finishes, rated, usage = {}, {}, {}, None
    for piece in map(plain, stream):
        usage = piece["usage"] or usage
        for choice in piece["choices"]:
            index = choice["index"]
            text = choice["text"] if "text" in choice else choice["delta"]["content"]
            texts[index] = texts.get(index, "") + (text or "")
            finishes[index] = choice["finish_reason"]
            logprobs = choice["logprobs"] or {}
            rated[index] = rated.get(index, 0) + len(logprobs.get("tokens") or logprobs.get("content") or [])
    in_order = lambda found: [found[index] for index in sorted(found)]
    return {"texts": in_order(texts), "finishes": in_order(finishes), "rated": in_order(rated), "usage": usage}


def result_of(call):
    """A streamed call must say what the call without `stream` says."""
    if not call["args"].get("stream"):
        return plain(make(call))
    args = {name: value for name, value in call["args"].items() if name not in ("stream", "stream_options")}
    whole = plain(make({**call, "args": args}))
    parts = joined(make(call))
    said = [choice["text"] if "text" in choice else choice["message"]["content"] for choice in whole["choices"]]
    assert parts["texts"] == said, (parts["texts"], said)
    assert parts["finishes"] == [choice["finish_reason"] for choice in whole["choices"]]
    return parts


def abort(call):
    """Leaves during the call: a stream after its first piece, another call before its answer. The next call is answered."""
    if call["args"].get("stream"):
        with make(call) as stream:
            next(iter(stream))
    else:
        impatient = client.with_options(timeout=openai.Timeout(5.0, read=1e-4))
        try:
            make(call, impatient)
        except openai.APITimeoutError:
            pass
        else:
            raise AssertionError("it was answered before the time-out")
    assert client.models.list().data


def check(call):
    if call.get("isAborted"):
        return abort(call)
    refused = call.get("refused")
    if not refused:
        found = result_of(call)
        for path, expected in call.get("gives", {}).items():
            assert value_at(found, path) == expected, (path, value_at(found, path), expected)
        return
    try:
        make(call)
    except openai.APIStatusError as error:
        told = (error.status_code, error.code, error.param if "param" in refused else None)
        assert told == (refused["status"], refused["code"], refused.get("param")), (told, str(error))
    else:
        raise AssertionError("it was not refused")


failed = 0
with open(table, encoding="utf-8") as file:
    calls = json.load(file)
for call in calls:
    try:
        check(call)
    except Exception as error:  # every call is made, whatever became of the others
        failed += 1
        print(f"{call['method']}: {call['name']}: {type(error).__name__}: {error}")
print(f"{len(calls) - failed} of {len(calls)} calls with openai {openai.__version__} for Python")
sys.exit(1 if failed else 0)
