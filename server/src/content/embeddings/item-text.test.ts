import { expect, test } from 'vitest';
import { bodyChars, itemText, textHash } from './item-text.ts';

const item = {
  filename: 'annual_report-2024.pdf',
  extension: 'pdf',
  title: null,
  tags: [] as string[],
  metadata: {},
  body: null as string | null,
};

test('the text of an item is its name as words, title, authors, tags and the beginning of its text', () => {
  expect(itemText(item)).toBe('annual report 2024');
  const full = {
    ...item,
    title: 'Annual report',
    tags: ['finance', 'board'],
    metadata: { author: 'Ada', album: 'Vol. 1' },
    body: '  Profit rose. ',
  };
  expect(itemText(full)).toBe('annual report 2024\nAnnual report\nVol. 1, Ada\nfinance, board\nProfit rose.');
  expect(itemText({ ...item, metadata: { ocr_text: 'Scanned page' } })).toContain('Scanned page');
});

test('the beginning of a text gives the same as the whole text', () => {
  for (const body of [' '.repeat(500) + 'x'.repeat(2000), '\u{1f6a2}'.repeat(2000), `${'é'.repeat(511)}\u{1f6a2}z`]) {
    const beginning = [...body].slice(0, bodyChars).join('');
    expect(textHash(itemText({ ...item, body }))).toEqual(textHash(itemText({ ...item, body: beginning })));
  }
});
