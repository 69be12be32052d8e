import { extractText } from './operations/extract-text.ts';
import { failOnUnreadable, holdLifeLock } from './life.ts';
import { serve } from './serve.ts';

serve(self, { extractText });
holdLifeLock(self, navigator.locks);
failOnUnreadable(self);
