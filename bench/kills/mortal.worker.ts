/** The inference worker as it is built, with one more ear: it dies when it is told to. */
import './mortal-ear.ts';
import '../../workers/inference.worker.ts';
