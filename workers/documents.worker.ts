import { extractText } from './operations/extract-text.ts';
import { failOnUnreadable, holdLifeLock } from './life.ts';
import { serve } from './serve.ts';
import { tellRequests } from './tell-requests.ts';

serve(self, { extractText });
holdLifeLock(self, navigator.locks);
failOnUnreadable(self);
tellRequests(self, 'documents');
