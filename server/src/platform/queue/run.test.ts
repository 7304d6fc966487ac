import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSleeper } from './listener.ts';
import { createProgress, startHeartbeat } from './run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('heartbeat', () => {
  const watch = (beat: () => Promise<void>) => {
    const seen = { lost: 0, failures: 0 };
    const heart = startHeartbeat({
      beat,
      everyMs: 10_000,
      deadlineMs: 30_000,
      onLost() {
        seen.lost += 1;
      },
      onFailure() {
        seen.failures += 1;
      },
    });
    return { seen, heart };
  };

  test('is lost when no call succeeded within the deadline, reported once per outage', async () => {
    let away = true;
    const { seen, heart } = watch(async () => {
      if (away) throw new Error('away');
    });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(seen).toEqual({ lost: 0, failures: 3 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.lost).toBe(1);
    away = false;
    await vi.advanceTimersByTimeAsync(60_000);
    away = true;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.lost).toBe(2);
    heart.stop();
  });

  test('that hangs on a half-open connection is lost, and calls do not overlap', async () => {
    const beat = vi.fn(() => new Promise<void>(() => {}));
    const { seen, heart } = watch(beat);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(seen.lost).toBe(1);
    expect(beat).toHaveBeenCalledTimes(1);
    heart.stop();
  });
});

describe('progress', () => {
  test('of several calls within a second only the last is stored', async () => {
    const written: unknown[] = [];
    const progress = createProgress(async (value) => void written.push(value['n']));
    for (let n = 0; n < 50; n += 1) {
      progress.report({ n });
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(written).toEqual([0, 9, 19, 29, 39, 49].slice(0, written.length));
    expect(written.length).toBeGreaterThanOrEqual(5);
    progress.report({ n: 99 });
    expect(await progress.close()).toEqual({ n: 99 });
    progress.report({ n: 100 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(written).not.toContain(100);
  });

  test('a value that cannot be written does not fail the job', async () => {
    const progress = createProgress(() => Promise.reject(new Error('away')));
    progress.report({ n: 1 });
    await vi.advanceTimersByTimeAsync(1);
    expect(await progress.close()).toBeNull();
  });
});

test('a wake-up between two sleeps is not lost', async () => {
  const wake = createSleeper();
  wake.wake();
  await wake.sleep(1_000_000);
  const asleep = wake.sleep(1_000_000);
  wake.wake();
  await asleep;
});
