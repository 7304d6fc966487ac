import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterPoints, fitView } from './map-geometry.ts';

const point = fc.record({
  id: fc.uuid(),
  x: fc.double({ min: 0, max: 1000, noNaN: true }),
  y: fc.double({ min: 0, max: 700, noNaN: true }),
});

test('every file is in exactly one cluster', () => {
  fc.assert(
    fc.property(fc.uniqueArray(point, { selector: (p) => p.id, maxLength: 200 }), (points) => {
      const ids = clusterPoints(points).flatMap((c) => c.ids);
      expect(ids.sort()).toEqual(points.map((p) => p.id).sort());
    }),
  );
});

test('a few distant files do not zoom the map out', () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ lat: 60 + i / 1000, lng: 5 + i / 1000 }));
  expect(fitView([...many, { lat: -40, lng: 170 }], 1000, 700).zoom).toBeGreaterThan(10);
});
