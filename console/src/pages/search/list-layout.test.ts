import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScrollScale, MAX_ELEMENT_HEIGHT, positionAfterScroll, rowLayout } from './list-layout.ts';

const tallRows = fc.uniqueArray(fc.integer({ min: 0, max: 299 }), { maxLength: 60 }).map((rows) => rows.sort((a, b) => a - b));
const total = fc.integer({ min: 1, max: 300 });

test('rows follow each other without gap or overlap', () => {
  fc.assert(
    fc.property(total, tallRows, (count, tall) => {
      const layout = rowLayout(count, 52, 72, tall);
      for (let i = 0; i < count; i += 1) expect(layout.top(i + 1) - layout.top(i)).toBe(tall.includes(i) ? 72 : 52);
    }),
  );
});

test('indexAt returns the row that covers the offset', () => {
  fc.assert(
    fc.property(total, tallRows, fc.double({ min: 0, max: 1, noNaN: true }), (count, tall, share) => {
      const layout = rowLayout(count, 52, 72, tall);
      const y = share * (layout.top(count) - 1);
      const row = layout.indexAt(y);
      expect(layout.top(row)).toBeLessThanOrEqual(y);
      expect(layout.top(row + 1)).toBeGreaterThan(y);
    }),
  );
});

test('a list of millions of rows is compressed into an element that browsers can lay out', () => {
  const layout = rowLayout(3_000_000, 52, 72, []);
  const scale = createScrollScale(layout, 800);
  expect(scale.elementHeight).toBe(MAX_ELEMENT_HEIGHT);
  expect(scale.toOffset(0)).toBe(0);
  expect(scale.toOffset(scale.elementHeight - 800)).toBeCloseTo(layout.top(layout.count) - 800);
  expect(scale.toScrollTop(scale.toOffset(1234))).toBeCloseTo(1234);
});

test('an ordinary list is not compressed', () => {
  const scale = createScrollScale(rowLayout(1000, 52, 72, []), 800);
  expect(scale.compressed).toBe(false);
  expect(scale.toOffset(777)).toBe(777);
});

test('in ten million rows, continuous scrolling skips no row and dragging the scroll bar jumps', () => {
  const layout = rowLayout(10_000_000, 52, 72, []);
  const scale = createScrollScale(layout, 800);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: -1500, max: 1500 }), (share, step) => {
      const scrollTop = Math.round(share * (scale.elementHeight - 800));
      const from = { scrollTop, offset: scale.toOffset(scrollTop) };
      const to = positionAfterScroll(from, scrollTop + step, scale, 800);
      expect(to.offset).toBeCloseTo(Math.min(scale.maxOffset, Math.max(0, from.offset + step)));
      expect(positionAfterScroll(from, scale.elementHeight - 800, { ...scale }, 1).offset).toBeCloseTo(scale.maxOffset);
    }),
  );
});

test('both ends of a compressed list scroll one to one, so that the scroll bar and the list end together', () => {
  const scale = createScrollScale(rowLayout(10_000_000, 52, 72, []), 800);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (into) => {
      expect(scale.toOffset(into)).toBe(into);
      expect(scale.toOffset(scale.elementHeight - 800 - into)).toBe(scale.maxOffset - into);
      expect(scale.toScrollTop(scale.toOffset(into))).toBe(into);
    }),
  );
});
