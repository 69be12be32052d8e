#!/bin/sh
# Runs every step of the reader: tokenizer, vectors and questions, training, check, calibration, export, figures, model card.
# usage: training/reader/run.sh DATA OUT
#   DATA     folder with lm/, qa/ and eval/
#   OUT      folder for what is made on the way, outside the repository
# MODEL is the folder to write: public/models/lightwell-reader unless told.
set -eu
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
model=${MODEL:-$here/../../public/models/lightwell-reader}
# the training's loop, the writer of ONNX nodes and the kinds of statements are taken from the folder above
export PYTHONPATH="$here/.."
cd "$here"
. ../settings.sh
[ -e "$out/corpus/held.npy" ] || "$python" corpus.py --data "$data" --out "$out/corpus" --seed 1
"$python" fit.py --corpus "$out/corpus" --schedule schedule.json --out "$out/run" --seed 1 --threads 1
checkpoint=$out/run/checkpoint.pt
"$python" fit_check.py --data "$data" --corpus "$out/corpus" --checkpoint "$checkpoint" --out "$out/check.pt" --seed 1
"$python" calibrate.py --data "$data" --corpus "$out/corpus" --checkpoint "$checkpoint" --check "$out/check.pt" --out "$out/calibration.json"
"$python" export.py --corpus "$out/corpus" --checkpoint "$checkpoint" --check "$out/check.pt" --calibration "$out/calibration.json" --out "$model"
"$python" figures.py --data "$data" --model "$model" --out "$out/figures.json"
"$python" card.py --work "$out" --out "$model"
