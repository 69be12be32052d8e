"""What the hub folders of embedder and reader have in common."""


def bert_config(architecture, kind, shape):
    """The hub's config.json of a network on the trunk; the type is our own, since libraries do not know the heads."""
    return {
        "architectures": [architecture],
        "model_type": kind,
        "hidden_size": shape.width,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "intermediate_size": shape.inner,
        "max_position_embeddings": shape.positions,
        "type_vocab_size": 2,
        "vocab_size": shape.pieces,
        "pad_token_id": 0,
        "cls_token_id": 2,
        "sep_token_id": 3,
        "torch_dtype": "float32",
    }


def tokenizer_config(longest):
    """The hub's tokenizer_config.json beside the trunk's tokenizer."""
    return {
        "tokenizer_class": "BertTokenizer",
        "do_lower_case": True,
        "model_max_length": longest,
        "clean_up_tokenization_spaces": True,
        "pad_token": "[PAD]",
        "unk_token": "[UNK]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
    }
