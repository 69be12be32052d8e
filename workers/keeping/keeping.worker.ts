import type { ToKeeping } from '../../src/protocol/keeping/keeping-tasks.ts';
import { tellRequests } from '../serving/tell-requests.ts';
import { createKeeper } from './keeper.ts';

const take = createKeeper((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToKeeping>) => take(data);
tellRequests(self, 'keeping');
