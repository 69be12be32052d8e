"""Writes what other libraries make of scores over a text, the fixtures of `formats.test.ts`.

    pip install -r test/support/figures/foreign/requirements.txt
    python test/support/figures/foreign/make.py

The model is small, with random weights of a fixed seed and the tokenizer of lightwell-base: formats do not depend on what a
model knows, and nothing is fetched. A fixture has the library, `value` as the documentation asks for it, and `expected`: scores by
the library's own functions, and the text.
"""

import importlib.metadata
import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch
from transformers import BartConfig, BartForConditionalGeneration, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

HERE = Path(__file__).parent
TOKENIZER = HERE.parents[3] / "public/models/lightwell-base"
TEXT = "Zoë's 🐈 sleeps. The cat is in Paris, the capital of"
CONTEXT = "Paris is the capital of France. Zoë's 🐈 sleeps. It never rains."


def write(name, library, value, **expected):
    fixture = {"library": f"{library} {importlib.metadata.version(library)}", "value": value, "expected": expected}
    text = json.dumps(fixture, ensure_ascii=False, indent=1)
    (HERE / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(f"{name}: {len(text)} characters")


def small_model():
    torch.manual_seed(7)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(TOKENIZER)
    tokenizer.chat_template = "{{ messages[0]['content'] }}\n"
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    # Wide weights: scores of the default ones are nearly 0.
    config = LlamaConfig(vocab_size=len(tokenizer), initializer_range=0.4, bos_token_id=0, eos_token_id=0, **sizes)
    return LlamaForCausalLM(config).eval(), tokenizer


def captum(model, tokenizer):
    from captum.attr import FeatureAblation, LLMAttribution, TextTokenInput

    explainer = LLMAttribution(FeatureAblation(model), tokenizer)
    result = explainer.attribute(TextTokenInput(TEXT, tokenizer), target=" France.")
    value = {
        "input_tokens": result.input_tokens,
        "output_tokens": result.output_tokens,
        "seq_attr": result.seq_attr.tolist(),
        "token_attr": result.token_attr.tolist(),
    }
    write("captum", "captum", value, text=TEXT, scores=value["token_attr"], targets=result.output_tokens)


def inseq(model, tokenizer):
    options = {"attribute_target": False}
    sequence, value = saved_by_inseq(model, tokenizer, TEXT, TEXT + " France.", options)
    scores = columns_of(sequence.target_attributions)
    write("inseq", "inseq", value, text=TEXT + " France.", scores=scores, targets=[" France", "."])


def inseq_translation(_, tokenizer):
    torch.manual_seed(7)
    sizes = {"d_model": 32, "encoder_layers": 1, "decoder_layers": 1, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64}
    tokens = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0, "decoder_start_token_id": 0, "forced_eos_token_id": None}
    config = BartConfig(vocab_size=len(tokenizer), init_std=0.4, encoder_attention_heads=4, decoder_attention_heads=4, **sizes, **tokens)
    model = BartForConditionalGeneration(config).eval()
    sequence, value = saved_by_inseq(model, tokenizer, "Zoë sleeps.", "Zoë schläft.", {"attribute_target": True})
    scores = columns_of(torch.cat([sequence.source_attributions, sequence.target_attributions]))
    tokens = [[tokenizer.decode(token.id) for token in part] for part in (sequence.source, sequence.target)]
    write("inseq-translation", "inseq", value, tokens=tokens, scores=scores)


def saved_by_inseq(model, tokenizer, text, target, options):
    from inseq import load_model

    explainer = load_model(model, "saliency", tokenizer=tokenizer)
    out = explainer.attribute(text, target, step_scores=[], show_progress=False, **options).aggregate()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.json"
        out.save(path)
        return out.sequence_attributions[0], json.loads(path.read_text())


def columns_of(scores):
    return [[None if np.isnan(score) else score for score in column] for column in scores.T.tolist()]


def log_probabilities(model, tokenizer, texts, words):
    ids = [tokenizer.encode(word)[0] for word in words]
    with torch.no_grad():
        logits = [model(**tokenizer(text or " ", return_tensors="pt")).logits[0, -1] for text in texts]
    return torch.stack(logits).log_softmax(-1)[:, ids].numpy()


def shap(model, tokenizer):
    import shap as library

    names = [" France", " Spain"]
    masker = library.maskers.Text(tokenizer)
    explainer = library.Explainer(lambda texts: log_probabilities(model, tokenizer, list(texts), names), masker, output_names=names)
    explanation = explainer([TEXT])[0]
    value = {
        "values": explanation.values.tolist(),
        "base_values": explanation.base_values.tolist(),
        "data": list(explanation.data),
        "output_names": list(explanation.output_names),
    }
    write("shap", "shap", value, text="".join(explanation.data), scores=explanation.values.T.tolist(), targets=names)


def lime(model, tokenizer):
    from lime.lime_text import LimeTextExplainer

    text = "the cat, the 🐈 and the café: category"
    names = [" France", " Spain"]
    explainer = LimeTextExplainer(class_names=names, random_state=1)
    predict = lambda texts: np.exp(log_probabilities(model, tokenizer, texts, names))
    explanation = explainer.explain_instance(text, predict, labels=(0, 1), num_samples=100)
    value = {"text": text, "as_list": {name: explanation.as_list(label=at) for at, name in enumerate(names)}}
    words = explanation.domain_mapper.indexed_string
    scores = [
        [[words.word(word), [int(place) for place in words.string_position(word)], float(weight)] for word, weight in explanation.local_exp[at]]
        for at in range(len(names))
    ]
    write("lime", "lime", value, text=text, scores=scores, targets=names)


def context_cite(model, tokenizer):
    import nltk

    nltk.download = lambda *_: False
    from context_cite import ContextCiter
    from context_cite.context_partitioner import SimpleContextPartitioner

    class Sentences(SimpleContextPartitioner):
        """The library's own sentences need data that is fetched."""

        def split_context(self):
            parts = self.context.split(". ")
            self._cache["parts"] = [part + "." for part in parts[:-1]] + parts[-1:]
            self._cache["separators"] = [""] + [" "] * (len(parts) - 1)

    partitioner = Sentences(CONTEXT)
    options = {"num_ablations": 32, "generate_kwargs": {"max_new_tokens": 3, "do_sample": False}}
    citer = ContextCiter(model, tokenizer, CONTEXT, "Where is the capital?", partitioner=partitioner, **options)
    table = citer.get_attributions(as_dataframe=True, verbose=False)
    value = {"context": CONTEXT, "attributions": table.data.to_dict("records")}
    write("context-cite", "context-cite", value, text=CONTEXT, scores=[citer.get_attributions(verbose=False).tolist()], targets=[])


def at2(model, tokenizer):
    from at2 import AT2Attributor, AT2FeatureExtractor, AT2ScoreEstimator
    from at2.tasks import SimpleContextAttributionTask

    tokenizer.model_input_names = ["input_ids", "attention_mask"]
    options = {"max_new_tokens": 3, "do_sample": False, "top_p": None, "top_k": None, "temperature": None}
    task = SimpleContextAttributionTask(CONTEXT, "Where is the capital?", model, tokenizer, generate_kwargs=options)
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    torch.manual_seed(7)
    attributor = AT2Attributor(task, AT2ScoreEstimator(AT2FeatureExtractor(layers, heads, model_type="llama")))
    scores = attributor.get_attribution_scores().tolist()
    write("at2", "at2", {"text": CONTEXT, "sources": task.sources, "scores": scores}, text=CONTEXT, scores=[scores], targets=[])


def neuronpedia(_, tokenizer):
    """A graph of random effects: two logits, features and errors of two layers, and the tokens."""
    from circuit_tracer.attribution.targets import LogitTarget
    from circuit_tracer.graph import Graph, compute_node_influence, prune_graph
    from circuit_tracer.utils.create_graph_files import create_graph_files
    from transformers import AutoTokenizer

    AutoTokenizer.from_pretrained = lambda *_: tokenizer
    torch.manual_seed(7)
    layers, ids = 2, torch.tensor(tokenizer.encode(TEXT))
    features = torch.tensor([[layer, place, 5 + layer] for layer in range(layers) for place in range(0, len(ids), 2)])
    names = [" France", " Spain"]
    targets = [LogitTarget(name, tokenizer.encode(name)[0]) for name in names]
    # Effects go from lower ranks to higher ones: tokens, then layer by layer, then logits.
    rank = [2 * layer + 1 for layer, _, _ in features.tolist()] + [2 * layer + 1 for layer in range(layers) for _ in ids] + [0] * len(ids) + [9, 9]
    size = len(rank)
    below = torch.tensor([[source < target for source in rank] for target in rank])
    effects = torch.randn(size, size) * below * (torch.rand(size, size) < 0.3)
    config = LlamaConfig(vocab_size=len(tokenizer), num_hidden_layers=layers, architectures=["LlamaForCausalLM"], name_or_path="small")
    graph = Graph(TEXT, ids, features, effects, config, torch.arange(len(features)), torch.ones(len(features)), targets, torch.tensor([0.6, 0.2]), scan="small", vocab_size=len(tokenizer))
    with tempfile.TemporaryDirectory() as folder:
        create_graph_files(graph, "small", folder, node_threshold=1.0, edge_threshold=1.0)
        value = json.loads((Path(folder) / "small.json").read_text())
    kept = graph.adjacency_matrix * prune_graph(graph, 1.0, 1.0).edge_mask
    first = size - len(names) - len(ids)
    scores = []
    for target in range(len(names)):
        weights = torch.zeros(size)
        weights[size - len(names) + target] = 1
        scores.append(compute_node_influence(kept, weights)[first : first + len(ids)].tolist())
    write("neuronpedia", "circuit-tracer", value, text=TEXT, scores=scores, targets=names)


if __name__ == "__main__":
    parts = small_model()
    for make in [captum, inseq, inseq_translation, shap, lime, context_cite, at2, neuronpedia]:
        if sys.argv[1:] in ([], [make.__name__]):
            make(*parts)
