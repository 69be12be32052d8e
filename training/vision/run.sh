#!/bin/sh
# Runs every step from the text decoder to the model that reads pictures: prose, encoder, both together, export, figures, model card.
# usage: run.sh DATA OUT [TILE_MINUTES] [JOINT_MINUTES]
#   DATA   folder with lm/ and qa/
#   OUT    folder in which training/run.sh left corpus/, run/ and figures.json; vision/ is made there
# THREADS is how many threads are used, MODEL the folder to write: public/models/lightwell-base unless told.
set -eu
data=$1 out=$2 tiles=${3:-7} joint=${4:-90}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3} threads=${THREADS:-2} model=${MODEL:-$here/../../public/models/lightwell-base}
# passive waiting: a thread that waits leaves its core to others
export PYTHONPATH="$here/.." OMP_WAIT_POLICY=PASSIVE TOKENIZERS_PARALLELISM=false
cd "$here"
mkdir -p "$out/vision"
[ -e "$out/corpus/reference.train.npz" ] || "$python" prose.py --data "$data" --out "$out/corpus" --seed 1
"$python" train_tiles.py --base "$out/run/checkpoint.pt" --tokenizer "$out/corpus/tokenizer.json" --out "$out/vision" --minutes "$tiles" --threads "$threads" --seed 1
"$python" train_vision.py --corpus "$out/corpus" --base "$out/run/checkpoint.pt" --tiles "$out/vision/tiles.pt" --out "$out/vision" --minutes "$joint" --threads "$threads" --seed 1
"$python" blend.py --before "$out/run/checkpoint.pt" --after "$out/vision/checkpoint.pt" --share 0.85 --out "$out/vision/blended.pt"
"$python" export_vision.py --checkpoint "$out/vision/blended.pt" --tokenizer "$out/corpus/tokenizer.json" --out "$model"
"$python" evaluate_vision.py --checkpoint "$out/vision/blended.pt" --folder "$model" --corpus "$out/corpus" --out "$out/vision/figures.json" --threads "$threads"
"$python" card.py --figures "$out/vision/figures.json" --text-figures "$out/figures.json" --tiles "$out/vision/tiles.jsonl" --out "$model"
