import { expect, test } from 'vitest';
import { looksLikeSentence } from './sentence.ts';

test.each(['photos larger than 10 MB from last summer', 'videos older than two years', 'pdfs tagged invoice from 2023 over 5 MB'])(
  '“%s” reads like a sentence',
  (q) => expect(looksLikeSentence(q)).toBe(true),
);

test.each([
  'harbour',
  'old town hall',
  'harbour crane survey final',
  'photos kind:image from last summer',
  '"photos from last summer"',
  'last photo',
])('“%s” is searched as it stands', (q) => expect(looksLikeSentence(q)).toBe(false));
