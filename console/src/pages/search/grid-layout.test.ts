import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { emptyMonths, extendMonths, gridLayout } from './grid-layout.ts';

const hit = (month: number) => ({ mtime: Date.UTC(2023, month, 15) / 1000 }) as SearchHit;
const hits = [hit(5), hit(5), hit(5), hit(4), hit(4)];
const measures = { heading: 36, cards: 192 };
const linesOf = (total: number, columns: number, months = extendMonths(emptyMonths(), total, (i) => hits[i])) => {
  const layout = gridLayout(total, columns, months, measures);
  return { layout, lines: Array.from({ length: layout.count }, (_, i) => layout.lineAt(i)) };
};

test('a month heading shows a count once the month is completely loaded', () => {
  const { lines } = linesOf(5, 2);
  expect(lines.map((l) => (l.kind === 'heading' ? `# ${l.count}` : `${l.from}-${l.to}`))).toEqual(['# 3', '0-2', '2-3', '# 2', '3-5']);
});

test('files that are not loaded yet have cards too', () => {
  const { lines } = linesOf(9, 2);
  expect(lines.reduce((n, l) => n + (l.kind === 'cards' ? l.to - l.from : 0), 0)).toBe(9);
  expect(lines.filter((l) => l.kind === 'heading').map((l) => l.kind === 'heading' && l.count)).toEqual([3, null]);
});

test('lineOf returns the line that shows the file', () => {
  const { layout, lines } = linesOf(9, 4);
  for (let i = 0; i < 9; i += 1) {
    const line = lines[layout.lineOf(i)]!;
    expect(line.kind === 'cards' && line.from <= i && i < line.to).toBe(true);
  }
});

test('extendMonths continues from the last known file and stops at a gap', () => {
  const first = extendMonths(emptyMonths(), 5, (i) => (i < 2 ? hits[i] : undefined));
  expect(first).toMatchObject({ knownCount: 2, list: [{ from: 0 }] });
  expect(extendMonths(first, 5, () => undefined)).toBe(first);
  expect(extendMonths(first, 5, (i) => hits[i])).toMatchObject({ knownCount: 5, list: [{ from: 0 }, { from: 3 }] });
});

test('lines follow each other without a gap, and indexAt returns the line that covers the offset', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (total, columns, share) => {
        const { layout, lines } = linesOf(total, columns);
        for (let i = 0; i < layout.count; i += 1)
          expect(layout.top(i + 1) - layout.top(i)).toBe(lines[i]!.kind === 'heading' ? measures.heading : measures.cards);
        const y = share * (layout.top(layout.count) - 1);
        const indexAt = layout.indexAt(y);
        expect(layout.top(indexAt)).toBeLessThanOrEqual(y);
        expect(layout.top(indexAt + 1)).toBeGreaterThan(y);
      },
    ),
  );
});

test('card lines and heading lines are numbered separately and without gaps', () => {
  const { lines } = linesOf(60, 2);
  for (const kind of ['heading', 'cards'])
    expect(lines.filter((line) => line.kind === kind).map((line) => line.nth)).toEqual(
      Array.from({ length: lines.filter((line) => line.kind === kind).length }, (_, i) => i),
    );
});
