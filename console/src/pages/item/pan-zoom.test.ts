import { expect, test } from 'vitest';
import { panBy, WHOLE, zoomAt } from './pan-zoom.ts';

const frame = { width: 400, height: 300 };

test('zooming keeps the point under the pointer where it is', () => {
  const point = { x: 100, y: -50 };
  const view = zoomAt(WHOLE, 2, frame, point);
  // The picture's own point that lay at (100, -50) lies there still.
  expect(100 * view.scale + view.x).toBe(100);
  expect(-50 * view.scale + view.y).toBe(-50);
});

test('a picture is never smaller than its frame and never pushed out of it', () => {
  expect(zoomAt({ scale: 2, x: 90, y: 10 }, 0.1, frame)).toEqual(WHOLE);
  expect(panBy({ scale: 2, x: 0, y: 0 }, 9_000, -9_000, frame)).toEqual({ scale: 2, x: 200, y: -150 });
  expect(panBy(WHOLE, 50, 50, frame)).toEqual(WHOLE);
});

test('zooming ends at eight times', () => {
  expect(zoomAt({ scale: 7, x: 0, y: 0 }, 4, frame).scale).toBe(8);
});
