import fc from 'fast-check';
import { expect, test } from 'vitest';
import { followScroll, HIGHEST_BOX, rowStrip, scaleOf } from './list-layout.ts';

const tallRows = fc.uniqueArray(fc.integer({ min: 0, max: 299 }), { maxLength: 60 }).map((rows) => rows.sort((a, b) => a - b));
const total = fc.integer({ min: 1, max: 300 });

test('rows lie one below the other without gap or overlap', () => {
  fc.assert(
    fc.property(total, tallRows, (count, tall) => {
      const strip = rowStrip(count, 52, 72, tall);
      for (let i = 0; i < count; i += 1) expect(strip.top(i + 1) - strip.top(i)).toBe(tall.includes(i) ? 72 : 52);
    }),
  );
});

test('the row found at a height is the one that lies there', () => {
  fc.assert(
    fc.property(total, tallRows, fc.double({ min: 0, max: 1, noNaN: true }), (count, tall, share) => {
      const strip = rowStrip(count, 52, 72, tall);
      const y = share * (strip.top(count) - 1);
      const row = strip.at(y);
      expect(strip.top(row)).toBeLessThanOrEqual(y);
      expect(strip.top(row + 1)).toBeGreaterThan(y);
    }),
  );
});

test('a list of millions fits into a box a browser can lay out, from its first row to its last', () => {
  const strip = rowStrip(3_000_000, 52, 72, []);
  const scale = scaleOf(strip, 800);
  expect(scale.box).toBe(HIGHEST_BOX);
  expect(scale.toStrip(0)).toBe(0);
  expect(scale.toStrip(scale.box - 800)).toBeCloseTo(strip.top(strip.count) - 800);
  expect(scale.toScroll(scale.toStrip(1234))).toBeCloseTo(1234);
});

test('an ordinary list is scrolled pixel by pixel', () => {
  const scale = scaleOf(rowStrip(1000, 52, 72, []), 800);
  expect(scale.stretched).toBe(false);
  expect(scale.toStrip(777)).toBe(777);
});

test('whoever reads on passes every row of a list of ten million, from any place; whoever drags the bar jumps', () => {
  const strip = rowStrip(10_000_000, 52, 72, []);
  const scale = scaleOf(strip, 800);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: -1500, max: 1500 }), (share, step) => {
      const scrollTop = Math.round(share * (scale.box - 800));
      const here = { scrollTop, y: scale.toStrip(scrollTop) };
      const there = followScroll(here, scrollTop + step, scale, 800);
      expect(there.y).toBeCloseTo(Math.min(scale.last, Math.max(0, here.y + step)));
      expect(followScroll(here, scale.box - 800, { ...scale }, 1).y).toBeCloseTo(scale.last);
    }),
  );
});

test('near its top and its end a list of millions is scrolled pixel by pixel, so that the bar and the list end together', () => {
  const scale = scaleOf(rowStrip(10_000_000, 52, 72, []), 800);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (into) => {
      expect(scale.toStrip(into)).toBe(into);
      expect(scale.toStrip(scale.box - 800 - into)).toBe(scale.last - into);
      expect(scale.toScroll(scale.toStrip(into))).toBe(into);
    }),
  );
});
