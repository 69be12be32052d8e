#!/bin/sh
# Runs every step of lightwell-base: corpus and tokenizer, the three trainings, the mean of the last one's end, export, figures, model card. The same command goes on where it was stopped.
# usage: training/run.sh DATA OUT
#   DATA   folder with lm/ and qa/
#   OUT    folder for the corpus, checkpoints and figures, outside the repository
# MODEL is the folder to write: public/models/lightwell-base unless told.
set -eu
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3} model=${MODEL:-$here/../public/models/lightwell-base}
corpus=$out/corpus tokenizer=$out/corpus/tokenizer.json
cd "$here/vision"
export PYTHONPATH="$here"
. ../settings.sh
[ -e "$corpus/books.held.npz" ] || "$python" ../corpus.py --data "$data" --out "$corpus" --synthetic 240000 --seed 1
[ -e "$corpus/rivals.train.npz" ] || "$python" ../prose.py --data "$data" --out "$corpus" --seed 1
"$python" ../train.py --corpus "$corpus" --schedule ../text.json --out "$out/text" --seed 1
"$python" train_tiles.py --base "$out/text/checkpoint.pt" --tokenizer "$tokenizer" --schedule tiles.json --out "$out/tiles" --seed 1
"$python" train_vision.py --corpus "$corpus" --base "$out/text/checkpoint.pt" --tiles "$out/tiles/checkpoint.pt" --schedule joint.json --out "$out/joint" --seed 1
"$python" ../mean.py --training "$out/joint" --out "$out/mean.pt"
"$python" export_vision.py --checkpoint "$out/mean.pt" --tokenizer "$tokenizer" --out "$model"
"$python" evaluate_vision.py --checkpoint "$out/mean.pt" --folder "$model" --corpus "$corpus" --out "$out/figures.json" --threads 2
"$python" card.py --figures "$out/figures.json" --tiles "$out/tiles/log.jsonl" --out "$model"
