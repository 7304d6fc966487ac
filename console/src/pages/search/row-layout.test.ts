import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HIGHEST_BOX, heightOf, offsetOf, type RowLayout, rowAt, scaleOf } from './row-layout.ts';

const layouts: fc.Arbitrary<RowLayout> = fc.record({
  total: fc.integer({ min: 1, max: 300 }),
  base: fc.constant(52),
  tall: fc.constant(72),
  tallRows: fc.uniqueArray(fc.integer({ min: 0, max: 299 }), { maxLength: 60 }).map((rows) => rows.sort((a, b) => a - b)),
});

test('rows lie one below the other without gap or overlap', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      for (let i = 0; i < layout.total; i += 1)
        expect(offsetOf(layout, i + 1) - offsetOf(layout, i)).toBe(layout.tallRows.includes(i) ? 72 : 52);
    }),
  );
});

test('the row found at a height is the one that lies there', () => {
  fc.assert(
    fc.property(layouts, fc.double({ min: 0, max: 1, noNaN: true }), (layout, share) => {
      const y = share * (heightOf(layout) - 1);
      const row = rowAt(layout, y);
      expect(offsetOf(layout, row)).toBeLessThanOrEqual(y);
      expect(offsetOf(layout, row + 1)).toBeGreaterThan(y);
    }),
  );
});

test('a list of millions fits into a box a browser can lay out, from its first row to its last', () => {
  const layout = { total: 3_000_000, base: 52, tall: 72, tallRows: [] };
  const scale = scaleOf(layout, 800);
  expect(scale.box).toBe(HIGHEST_BOX);
  expect(scale.toList(0)).toBe(0);
  expect(scale.toList(scale.box - 800)).toBeCloseTo(heightOf(layout) - 800);
  expect(scale.toScroll(scale.toList(1234))).toBeCloseTo(1234);
});

test('an ordinary list is scrolled pixel by pixel', () => {
  expect(scaleOf({ total: 1000, base: 52, tall: 72, tallRows: [] }, 800).toList(777)).toBe(777);
});
