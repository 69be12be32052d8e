#!/bin/sh
# Runs every step: tokenizer and token ids, word vectors, training, export, evaluation, model card.
# usage: training/embedder/run.sh DATA OUT
#   DATA     folder with lm/, qa/, pairs/ and eval/
#   OUT      folder for what is made on the way, outside the repository, about 400 MB
# MODEL is the folder to write: public/models/lightwell-embed unless told.
set -eu
data=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
model=${MODEL:-$here/../../public/models/lightwell-embed}
python=${PYTHON:-python3}
cd "$here"
. ../settings.sh
export OMP_NUM_THREADS=1 PYTHONPATH="$here/.."
[ -e "$out/data/prose.npy" ] || "$python" prepare.py --data "$data" --out "$out/data"
[ -e "$out/data/vectors.npz" ] || "$python" vectors.py --out "$out/data"
"$python" train.py --data "$out/data" --schedule schedule.json --out "$out/run" --seed 1 --threads 1
"$python" calibrate.py --data "$out/data" --checkpoint "$out/run/checkpoint.pt" --out "$out/run/settled.pt"
"$python" export_onnx.py --checkpoint "$out/run/settled.pt" --tokenizer "$out/data/tokenizer.json" --out "$model"
"$python" evaluate.py --data "$data" --work "$out/data" --model "$model" --out "$out/figures.json"
"$python" card.py --figures "$out/figures.json" --checkpoint "$out/run/settled.pt" --out "$model"
