import { describe, expect, test } from 'vitest';
import { divideText, type Passage } from './divide.ts';
import { sourceText } from './source-text.ts';

const shape = { size: 200, overlap: 40, max: 50 };
const textOf = (text: string, { start, end }: Passage) => text.slice(start, end);
const sentence = (n: number) => `Sentence number ${n} says something about the harbour and its cranes.`;
const prose = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => sentence(from + at)).join(' ');

function expectCovered(text: string, passages: readonly Passage[]): void {
  let covered = 0;
  for (const { start, end } of passages) {
    expect(text.slice(covered, start).trim()).toBe('');
    expect(end).toBeGreaterThan(start);
    covered = Math.max(covered, end);
  }
  expect(text.slice(covered).trim()).toBe('');
}

describe('passages', () => {
  test('end at sentences, share the overlap and cover the whole text', () => {
    const text = prose(0, 40);
    const passages = divideText(text, shape);
    expectCovered(text, passages);
    expect(passages.length).toBeGreaterThan(10);
    for (const [at, passage] of passages.entries()) {
      expect(textOf(text, passage)).toMatch(/^Sentence .*cranes\.$/s);
      expect(passage.end - passage.start).toBeLessThanOrEqual(shape.size);
      if (at > 0) expect(passage.start - passages[at - 1]!.end).toBeGreaterThanOrEqual(-shape.overlap);
    }
    const long = divideText(text, { ...shape, overlap: 120 });
    expect(long.some((passage, at) => at > 0 && passage.start < long[at - 1]!.end)).toBe(true);
  });

  test('never span pages, and know their page', () => {
    const text = `${prose(0, 4)}\f${prose(4, 5)}\f\f${prose(5, 9)}`;
    const passages = divideText(text, shape);
    expectCovered(text, passages);
    for (const passage of passages) expect(textOf(text, passage)).not.toContain('\f');
    expect([...new Set(passages.map(({ page }) => page))]).toEqual([1, 2, 4]);
    expect(divideText(prose(0, 9), shape).every(({ page }) => page === null)).toBe(true);
  });

  test('have the heading at the top of their page', () => {
    const passages = divideText('1.1 Cranes\nThere are three.\f1.2 Load test\nIt was repeated.', shape);
    expect(passages.map(({ page, heading }) => [page, heading])).toEqual([
      [1, '1.1 Cranes'],
      [2, '1.2 Load test'],
    ]);
  });

  test('begin at headings and keep the nearest one', () => {
    const text = `# Lease\n\n${sentence(1)}\n\n## Rent\n\n${prose(2, 8)}\n\n3.1 Notice period\n${prose(8, 10)}\n\nANNEX OF CRANES\n\n${sentence(10)}`;
    const passages = divideText(text, shape);
    expectCovered(text, passages);
    expect([...new Set(passages.map(({ heading }) => heading))]).toEqual(['Lease', 'Rent', '3.1 Notice period', 'ANNEX OF CRANES']);
    expect(passages.some((passage) => textOf(text, passage).startsWith('## Rent'))).toBe(true);
  });

  test('are longer when there would be more than the maximum, so that the whole text is found', () => {
    const text = Array.from({ length: 120 }, (_, page) => prose(page * 5, page * 5 + 5)).join('\f');
    const passages = divideText(text, { ...shape, max: 20 });
    expectCovered(text, passages);
    expect(passages.length).toBeLessThanOrEqual(20);
    expect(passages.at(-1)!.page).toBeGreaterThan(100);
    const one = divideText(text, { ...shape, max: 1 });
    expect(one).toHaveLength(1);
    expectCovered(text, one);
  });

  test('cover any text, also one without blanks, with blanks only, or of surrogate pairs', () => {
    const samples = [
      '',
      '   \n\f ',
      'x'.repeat(99),
      '😀'.repeat(33),
      '\f\f\fone\f',
      `${'word '.repeat(30)}`,
      '.'.repeat(50),
      '一二三。'.repeat(20),
    ];
    for (const text of samples)
      for (const size of [1, 2, 7, 100]) {
        const passages = divideText(text, { size, overlap: size - 1, max: 5000 });
        expectCovered(text, passages);
        expect(passages.every((passage) => textOf(text, passage).isWellFormed()) || size === 1).toBe(true);
      }
  });
});

test('the longer of embedded and recognised text is used, and empty first pages still count', () => {
  expect(sourceText({ body: ' \n\f\fThird page. \f', ocr: 'short' })).toEqual({ text: '\f\fThird page.', source: 'body' });
  expect(sourceText({ body: 'stamp', ocr: 'The recognised page.' })).toEqual({ text: 'The recognised page.', source: 'ocr' });
  expect(sourceText({ body: ' \n', ocr: null })).toBeNull();
  expect(divideText('\f\fThird page.', shape)).toEqual([{ start: 2, end: 13, page: 3, heading: null }]);
});
