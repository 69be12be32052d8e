/** The documents worker as it is built, after the hook that crashes it. */
import './crash-hook.ts';
import '../../workers/documents.worker.ts';
