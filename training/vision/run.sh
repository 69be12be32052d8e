#!/bin/sh
# Runs every step from the text decoder to the model that reads pictures: streams, encoder, both together three times, export, figures, model card.
# usage: run.sh DATA OUT
#   DATA   folder with lm/ and qa/
#   OUT    folder in which training/run.sh left corpus/ and run/; vision/ is made there
# THREADS is how many threads are used, MODEL the folder to write: public/models/lightwell-base unless told.
set -eu
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3} threads=${THREADS:-2} model=${MODEL:-$here/../../public/models/lightwell-base}
export PYTHONPATH="$here/.."
cd "$here"
. ../settings.sh
mkdir -p "$out/vision"
[ -e "$out/corpus/spread.train.npz" ] || "$python" prose.py --data "$data" --out "$out/corpus" --seed 1
"$python" train_tiles.py --base "$out/run/checkpoint.pt" --tokenizer "$out/corpus/tokenizer.json" --schedule tiles.json --out "$out/vision" --threads "$threads" --seed 1
"$python" train_vision.py --corpus "$out/corpus" --base "$out/run/checkpoint.pt" --tiles "$out/vision/tiles.pt" --schedule joint.json --out "$out/vision/joint" --threads "$threads" --seed 1
"$python" blend.py --before "$out/run/checkpoint.pt" --after "$out/vision/joint/checkpoint.pt" --share 0.85 --out "$out/vision/blended.pt"
"$python" train_vision.py --corpus "$out/corpus" --base "$out/vision/blended.pt" --tiles "$out/vision/blended.pt" --schedule prose.json --out "$out/vision/prose" --threads "$threads" --seed 2
"$python" train_vision.py --corpus "$out/corpus" --base "$out/vision/prose/checkpoint.pt" --tiles "$out/vision/prose/checkpoint.pt" --schedule copies.json --out "$out/vision/copies" --threads "$threads" --seed 3
"$python" blend.py --before "$out/vision/prose/checkpoint.pt" --after "$out/vision/copies/checkpoint.pt" --share 0.46 --out "$out/vision/ends.pt"
"$python" blend.py --before "$out/vision/blended.pt" --after "$out/vision/ends.pt" --share 0.92 --out "$out/vision/shipped.pt"
"$python" export_vision.py --checkpoint "$out/vision/shipped.pt" --tokenizer "$out/corpus/tokenizer.json" --out "$model"
"$python" evaluate_vision.py --checkpoint "$out/vision/shipped.pt" --folder "$model" --corpus "$out/corpus" --out "$out/vision/figures.json" --threads "$threads"
"$python" card.py --figures "$out/vision/figures.json" --tiles "$out/vision/tiles.jsonl" --out "$model"
