import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boostOpened, maxBoost } from './frecency.ts';

test('the boost moves no hit up by more than ten places, keeps every hit, and keeps the order of the others', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(59), fc.double({ min: 0.25, max: 4e6, noNaN: true }))),
      (ids, opened) => {
        const interest = new Map(opened.flatMap(([at, much]) => (ids[at] === undefined ? [] : [[ids[at], much] as const])));
        const lifted = boostOpened(
          ids.map((id) => ({ id })),
          interest,
        ).map(({ id }) => id);
        expect([...lifted].sort()).toEqual([...ids].sort());
        for (const [before, id] of ids.entries()) expect(before - lifted.indexOf(id)).toBeLessThanOrEqual(maxBoost);
        expect(lifted.filter((id) => !interest.has(id))).toEqual(ids.filter((id) => !interest.has(id)));
      },
    ),
  );
});

test('more interest boosts higher', () => {
  const placeOf = (much: number) =>
    boostOpened(
      Array.from({ length: 30 }, (_, at) => ({ id: String(at) })),
      new Map([['20', much]]),
    ).findIndex(({ id }) => id === '20');
  expect([0.25, 4, 1000].map(placeOf)).toEqual([19, 13, 10]);
});
