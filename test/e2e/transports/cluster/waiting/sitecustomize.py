"""Python runs this file first in every process of a test's Ray. While the file PASS_SECONDS holds a number above 0, a replica runs
one pass at a time, and each takes so many seconds longer: as on an engine whose passes cost no core of this machine."""
import importlib.util, os, sys, threading, time
from importlib.abc import MetaPathFinder
from pathlib import Path


def make_wait(session):
    one_at_a_time, run = threading.Lock(), session.run

    def waiting(*args, **options):
        seconds = float(Path(os.environ["PASS_SECONDS"]).read_text())
        if seconds == 0:
            return run(*args, **options)
        with one_at_a_time:
            time.sleep(seconds)
            return run(*args, **options)

    session.run = waiting


class WhenImported(MetaPathFinder):
    """Changes onnxruntime where, and when, a process imports it."""

    def find_spec(self, name, path, target=None):
        if name != "onnxruntime":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def executed(module):
            execute(module)
            make_wait(module.InferenceSession)

        spec.loader.exec_module = executed
        return spec


if "PASS_SECONDS" in os.environ:
    sys.meta_path.insert(0, WhenImported())
