/** The documents worker as it is built, with one more ear. */
import './mortal-ear.ts';
import '../../workers/documents.worker.ts';
