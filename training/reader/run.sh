#!/bin/sh
# Runs every step of the reader: tokenizer, vectors and questions, training, check, calibration, export, figures, model card.
# usage: training/reader/run.sh DATA OUT [MINUTES]
#   DATA     folder with lm/, qa/ and eval/
#   OUT      folder for what is made on the way, outside the repository
#   MINUTES  wall-clock budget of the training, 70 unless told
set -eu
data=$1 out=$2 minutes=${3:-70}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
model=$here/../../public/models/lightwell-reader
# the writer of ONNX nodes and the kinds of statements are taken from the folder above; passive waiting leaves a core to others while a thread waits
export PYTHONPATH="$here/.." OMP_WAIT_POLICY=PASSIVE
cd "$here"
[ -e "$out/corpus/held.npy" ] || "$python" corpus.py --data "$data" --out "$out/corpus" --seed 1
"$python" fit.py --corpus "$out/corpus" --out "$out/run" --minutes "$minutes" --seed 1
checkpoint=$out/run/checkpoint.pt
"$python" fit_check.py --data "$data" --corpus "$out/corpus" --checkpoint "$checkpoint" --out "$out/check.pt" --seed 1
"$python" calibrate.py --data "$data" --corpus "$out/corpus" --checkpoint "$checkpoint" --check "$out/check.pt" --out "$out/calibration.json"
"$python" export.py --corpus "$out/corpus" --checkpoint "$checkpoint" --check "$out/check.pt" --calibration "$out/calibration.json" --out "$model"
"$python" figures.py --data "$data" --model "$model" --out "$out/figures.json"
"$python" card.py --work "$out" --out "$model"
