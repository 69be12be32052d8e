import { extractText } from './operations/extract-text.ts';
import { failOnUnreadable, holdLifeLock } from './serving/life.ts';
import { serve } from './serving/serve.ts';
import { tellRequests } from './serving/tell-requests.ts';

serve(self, { extractText });
holdLifeLock(self, navigator.locks);
failOnUnreadable(self);
tellRequests(self, 'documents');
