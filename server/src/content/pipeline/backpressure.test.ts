import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBackpressure } from './backpressure.ts';

const options = { enabled: true, min: 1, max: 8, highLoad: 0.85, lowLoad: 0.6, decreaseFactor: 0.5, expandCooldownSeconds: 60 };

describe('the extract backpressure controller', () => {
  test('a sample at or above the high mark halves the ceiling, down to the minimum', () => {
    const controller = createBackpressure(options);
    const seen = [0.85, 2, 2, 2, 2].map((load, at) => {
      controller.sample(at * 15_000, load, 100);
      return controller.ceiling();
    });
    expect(seen).toEqual([4, 2, 1, 1, 1]);
    expect(controller.state()).toBe('tripped');
  });

  test('at or below the low mark the ceiling rises by one per sample, after the cooldown and while jobs wait', () => {
    const controller = createBackpressure(options);
    controller.sample(0, 0.9, 100);
    controller.sample(15_000, 0.6, 100);
    expect([controller.state(), controller.ceiling()]).toEqual(['recovering', 4]);
    controller.sample(59_999, 0.1, 100);
    expect(controller.ceiling()).toBe(4);
    controller.sample(60_000, 0.1, 100);
    expect(controller.ceiling()).toBe(5);
    controller.sample(75_000, 0.1, 0);
    expect(controller.ceiling()).toBe(5);
    for (const at of [90_000, 105_000, 120_000]) controller.sample(at, 0.1, 1);
    expect([controller.state(), controller.ceiling()]).toEqual(['normal', 8]);
  });

  test('between the marks the ceiling does not change, however many jobs wait', () => {
    const controller = createBackpressure(options);
    controller.sample(0, 1, 100);
    for (let n = 1; n < 20; n += 1) expect(controller.sample(n * 60_000, 0.7, 10_000)).toBeNull();
    expect(controller.ceiling()).toBe(4);
  });

  test('it does nothing without a load average or when disabled', () => {
    const blind = createBackpressure(options);
    expect(blind.sample(0, null, 100)).toBeNull();
    expect(blind.ceiling()).toBe(8);
    const off = createBackpressure({ ...options, enabled: false });
    off.sample(0, 9, 100);
    expect(off.ceiling()).toBe(8);
  });

  test('it reports what it changed and why', () => {
    const controller = createBackpressure(options);
    expect(controller.sample(0, 1.5, 3)).toBe('Extraction slows to 4 at a time: load per core 1.50 is at or above 0.85.');
    expect(controller.sample(70_000, 0.5, 3)).toBe(
      'Extraction speeds up to 5 at a time: load per core 0.50 is at or below 0.6, 3 jobs wait.',
    );
  });

  test('it reports every transition between states, also those that leave the ceiling unchanged', () => {
    const controller = createBackpressure({ ...options, max: 1 });
    const samples = [0.9, 2, 0.7, 0.5, 0.5].map((load, at) => controller.sample(at * 15_000, load, 0));
    expect(samples).toEqual([
      'Extraction stays at its minimum of 1 at a time: load per core 0.90 is at or above 0.85.',
      null,
      null,
      'Extraction is back to normal at 1 at a time: load per core 0.50 is at or below 0.6.',
      null,
    ]);
    const slow = createBackpressure(options);
    slow.sample(0, 0.9, 0);
    expect(slow.sample(15_000, 0.6, 0)).toBe('Extraction recovers from 4 at a time: load per core 0.60 is at or below 0.6.');
    expect(slow.state()).toBe('recovering');
  });

  test('the ceiling stays within its bounds, changes at most once per sample, and never rises within the cooldown of a decrease', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ load: fc.double({ min: 0, max: 2, noNaN: true }), waiting: fc.nat(5), gap: fc.integer({ min: 1000, max: 90_000 }) }),
          { maxLength: 60 },
        ),
        (samples) => {
          const controller = createBackpressure(options);
          let now = 0;
          let contracted = Number.NEGATIVE_INFINITY;
          for (const { load, waiting, gap } of samples) {
            now += gap;
            const before = controller.ceiling();
            controller.sample(now, load, waiting);
            const after = controller.ceiling();
            expect(after).toBeGreaterThanOrEqual(1);
            expect(after).toBeLessThanOrEqual(8);
            if (after > before) {
              expect(after).toBe(before + 1);
              expect(now - contracted).toBeGreaterThanOrEqual(60_000);
              expect(waiting).toBeGreaterThan(0);
            }
            if (after < before) {
              expect(load).toBeGreaterThanOrEqual(0.85);
              contracted = now;
            }
          }
        },
      ),
    );
  });
});
