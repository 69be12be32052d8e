/** The inference worker as it is built, after the hook that crashes it. */
import './crash-hook.ts';
import '../../workers/inference.worker.ts';
