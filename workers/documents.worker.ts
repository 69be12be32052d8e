import { extractText } from './operations/extract-text.ts';
import { holdLifeLock } from './life.ts';
import { serve } from './serve.ts';

serve(self, { extractText });
holdLifeLock(self, navigator.locks);
