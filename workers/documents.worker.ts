import { extractText } from './operations/extract-text.ts';
import { serve } from './serve.ts';

serve(self, { extractText });
