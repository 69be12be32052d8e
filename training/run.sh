#!/bin/sh
# Runs every step of the text decoder: corpus and tokenizer, training, export, evaluation. vision/run.sh goes on from here.
# usage: training/run.sh DATA OUT
#   DATA     folder with lm/ and qa/
#   OUT      folder for the corpus, checkpoints and figures, outside the repository
set -eu
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
cd "$here"
[ -e "$out/corpus/books.held.npz" ] || "$python" corpus.py --data "$data" --out "$out/corpus" --synthetic 240000 --seed 1
. ./settings.sh
"$python" train.py --corpus "$out/corpus" --schedule text.json --out "$out/run" --seed 1
"$python" export_onnx.py --checkpoint "$out/run/checkpoint.pt" --tokenizer "$out/corpus/tokenizer.json" --out "$out/model"
"$python" evaluate.py --corpus "$out/corpus" --checkpoint "$out/run/checkpoint.pt" --threads 2
