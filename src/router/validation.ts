import { z } from 'zod';

// The page's policy forbids to make code of text. zod would try it once, in vain, and the browser would report that. It looks
// at this when a schema is made, so this file is imported before every other one that brings schemas.
z.config({ jitless: true });
