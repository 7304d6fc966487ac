import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { gridStrip, noMonths, readMonths } from './grid-layout.ts';

const hit = (month: number) => ({ mtime: Date.UTC(2023, month, 15) / 1000 }) as SearchHit;
const hits = [hit(5), hit(5), hit(5), hit(4), hit(4)];
const measures = { heading: 36, cards: 192 };
const linesOf = (total: number, columns: number, months = readMonths(noMonths(), total, (i) => hits[i])) => {
  const strip = gridStrip(total, columns, months, measures);
  return { strip, lines: Array.from({ length: strip.count }, (_, i) => strip.lineAt(i)) };
};

test('months get a heading with their count once they are loaded whole', () => {
  const { lines } = linesOf(5, 2);
  expect(lines.map((l) => (l.kind === 'heading' ? `# ${l.count}` : `${l.from}-${l.to}`))).toEqual(['# 3', '0-2', '2-3', '# 2', '3-5']);
});

test('files that are not loaded yet keep their place', () => {
  const { lines } = linesOf(9, 2);
  expect(lines.reduce((n, l) => n + (l.kind === 'cards' ? l.to - l.from : 0), 0)).toBe(9);
  expect(lines.filter((l) => l.kind === 'heading').map((l) => l.kind === 'heading' && l.count)).toEqual([3, null]);
});

test('every file lies on the line that is found for it', () => {
  const { strip, lines } = linesOf(9, 4);
  for (let i = 0; i < 9; i += 1) {
    const line = lines[strip.lineOf(i)]!;
    expect(line.kind === 'cards' && line.from <= i && i < line.to).toBe(true);
  }
});

test('months are read on from where they stopped, and a gap ends them', () => {
  const first = readMonths(noMonths(), 5, (i) => (i < 2 ? hits[i] : undefined));
  expect(first).toMatchObject({ upTo: 2, list: [{ from: 0 }] });
  expect(readMonths(first, 5, () => undefined)).toBe(first);
  expect(readMonths(first, 5, (i) => hits[i])).toMatchObject({ upTo: 5, list: [{ from: 0 }, { from: 3 }] });
});

test('lines lie one below the other, and the line found at a height is the one that lies there', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (total, columns, share) => {
        const { strip, lines } = linesOf(total, columns);
        for (let i = 0; i < strip.count; i += 1)
          expect(strip.top(i + 1) - strip.top(i)).toBe(lines[i]!.kind === 'heading' ? measures.heading : measures.cards);
        const y = share * (strip.top(strip.count) - 1);
        const at = strip.at(y);
        expect(strip.top(at)).toBeLessThanOrEqual(y);
        expect(strip.top(at + 1)).toBeGreaterThan(y);
      },
    ),
  );
});

test('cards and headings are numbered apart, each without a gap', () => {
  const { lines } = linesOf(60, 2);
  for (const kind of ['heading', 'cards'])
    expect(lines.filter((line) => line.kind === kind).map((line) => line.nth)).toEqual(
      Array.from({ length: lines.filter((line) => line.kind === kind).length }, (_, i) => i),
    );
});
