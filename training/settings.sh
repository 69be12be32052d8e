# Settings of the processes that train, read by every run.sh here.
export TOKENIZERS_PARALLELISM=false
# a thread that waits leaves its core to others, so that a busy machine slows a training but does not stall it
export OMP_WAIT_POLICY=PASSIVE
# freed memory is kept: given back to the system and fetched again at each step, it costs more time than the arithmetic
export MALLOC_MMAP_THRESHOLD_=8589934592 MALLOC_TRIM_THRESHOLD_=17179869184 MALLOC_TOP_PAD_=268435456
