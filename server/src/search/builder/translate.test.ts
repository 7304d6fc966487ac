import { expect, test } from 'vitest';
import { parseQuery } from '../language/index.ts';
import { translate } from './translate.ts';

const now = new Date('2026-11-15T12:00:00Z');
const say = (text: string, at = now): string => {
  const { filters, terms } = translate(text, at);
  return [...terms, ...filters].join(' ');
};

test.each([
  ['photos larger than 10 MB from last summer', 'size:>10m modified:2026-06-01..2026-08-31 kind:image'],
  ['show me all videos longer than 10 minutes', 'meta.duration:>600 kind:video'],
  ['PDFs about the harbour from 2023', 'about harbour modified:2023 ext:pdf'],
  ['documents tagged invoice modified in the last 2 weeks', 'tag:"invoice" modified:<2w kind:document'],
  ['spreadsheets and presentations before March 2021', '(group:spreadsheet OR group:presentation) modified:<2021-03'],
  ['music in the folder Jazz/Live', 'path:"Jazz/Live" kind:audio'],
  ['jpg files smaller than 200 kb', 'size:<200k ext:jpg'],
  ['broken videos', 'has:error kind:video'],
  ['untagged raw photos', '-has:tags group:raw-photo'],
  ['pictures between 2019 and 2021', 'modified:2019..2021 kind:image'],
  ['files between 5 and 20 MB', 'size:5m..20m'],
  ['4k videos', 'meta.width:>=3840 kind:video'],
  ['emails older than 3 years', 'modified:>3y group:email'],
  ['"annual report" from may 2024', '"annual report" modified:2024-05'],
  ['missing files in library "My Photos"', 'library:"My Photos" is:missing'],
  ['harbour', 'harbour'],
])('%s', (text, line) => {
  expect(say(text)).toBe(line);
});

test('last summer is the latest summer that has ended', () => {
  expect(say('last summer', new Date('2026-07-10T00:00:00Z'))).toBe('modified:2025-06-01..2025-08-31');
  expect(say('last summer', new Date('2026-02-10T00:00:00Z'))).toBe('modified:2025-06-01..2025-08-31');
  expect(say('last winter', new Date('2026-07-10T00:00:00Z'))).toBe('modified:2025-12-01..2026-02-28');
});

test('every input is translated into a query that parses', () => {
  for (const text of ['a:b (c "d', '- - !x', 'kind:', 'AND OR NOT', '"', 'size:big', '((((', '~~~', 'tagged "', 'photos'.repeat(80), '\0'])
    expect(() => parseQuery(say(text), { now }), text).not.toThrow();
});

test('a backslash before a closing quote stays part of the value', () => {
  expect(parseQuery(say('photos tagged "C:\\"'), { now }).chips[0]).toMatchObject({ field: 'tag', value: 'C:\\' });
  expect(parseQuery(say('photos "C:\\"'), { now }).words).toMatchObject([{ text: 'C:\\', quoted: true }]);
});
