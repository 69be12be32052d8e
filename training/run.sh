#!/bin/sh
# Runs every step of the text decoder: corpus and tokenizer, training, export, evaluation. vision/run.sh goes on from here.
# usage: training/run.sh DATA OUT [MINUTES]
#   DATA     folder with lm/ and qa/
#   OUT      folder for the corpus, checkpoints and figures, outside the repository
#   MINUTES  wall-clock budget of the training, 101 unless told
set -eu
data=$1 out=$2 minutes=${3:-101}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
cd "$here"
[ -e "$out/corpus/books.held.npz" ] || "$python" corpus.py --data "$data" --out "$out/corpus" --synthetic 240000 --seed 1
# passive waiting: a thread that waits leaves its core to others, so that a busy machine slows the training but does not stall it
OMP_WAIT_POLICY=PASSIVE "$python" train.py --corpus "$out/corpus" --out "$out/run" --minutes "$minutes" --seed 1
"$python" export_onnx.py --checkpoint "$out/run/checkpoint.pt" --tokenizer "$out/corpus/tokenizer.json" --out "$out/model"
"$python" evaluate.py --corpus "$out/corpus" --checkpoint "$out/run/checkpoint.pt" --out "$out/figures.json" --threads 2
