#!/bin/sh
# Starts the browser of BROWSER_PATH on one of the cores that this process may use, another one for each of Playwright's workers.
core=$(awk -F '[:,\t ]+' -v worker="${TEST_PARALLEL_INDEX:-0}" '
  /^Cpus_allowed_list/ {
    for (field = 2; field <= NF; field++) {
      ends = split($field, range, "-")
      for (core = range[1]; core <= range[ends]; core++) cores[count++] = core
    }
    print cores[worker % count]
  }' /proc/self/status)
exec taskset --cpu-list "$core" "$BROWSER_PATH" "$@"
