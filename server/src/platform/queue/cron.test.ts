import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CronError, nextOccurrence, parseCron, previousOccurrence } from './index.ts';

const next = (cron: string, after: string) => nextOccurrence(parseCron(cron), new Date(after))?.toISOString();
const previous = (cron: string, at: string) => previousOccurrence(parseCron(cron), new Date(at))?.toISOString();

describe('cron', () => {
  test('is evaluated in UTC, minute by minute', () => {
    expect(next('30 4 * * *', '2026-03-29T00:30:00Z')).toBe('2026-03-29T04:30:00.000Z');
    expect(next('30 4 * * *', '2026-03-29T04:30:00Z')).toBe('2026-03-30T04:30:00.000Z');
    expect(previous('30 4 * * *', '2026-03-29T04:30:00Z')).toBe('2026-03-29T04:30:00.000Z');
    expect(previous('30 4 * * *', '2026-03-29T04:29:59.999Z')).toBe('2026-03-28T04:30:00.000Z');
  });

  test('reads lists, ranges, steps and names', () => {
    const { minutes, hours, daysOfMonth, months, daysOfWeek } = parseCron(' 1,5-7,*/20  8-18/5  31 JAN,mar-May  Mon-Wed,sat ');
    expect([...minutes].sort((a, b) => a - b)).toEqual([0, 1, 5, 6, 7, 20, 40]);
    expect([...hours]).toEqual([8, 13, 18]);
    expect([...daysOfMonth]).toEqual([31]);
    expect([...months]).toEqual([1, 3, 4, 5]);
    expect([...daysOfWeek]).toEqual([1, 2, 3, 6]);
    expect([...parseCron('50/4 * * * *').minutes]).toEqual([50, 54, 58]);
  });

  test('Sunday is 0 or 7', () => {
    for (const sunday of ['0', '7', 'sun', 'SUN'])
      expect(next(`0 6 * * ${sunday}`, '2026-11-11T00:00:00Z')).toBe('2026-11-15T06:00:00.000Z');
    expect([...parseCron('0 0 * * fri-sun').daysOfWeek]).toEqual([5, 6, 0]);
    expect([...parseCron('0 0 * * 5-7').daysOfWeek]).toEqual([5, 6, 0]);
  });

  test('with both day fields restricted a day matches if either field does, otherwise both must', () => {
    expect(next('0 0 13 * fri', '2026-11-01T00:00:00Z')).toBe('2026-11-06T00:00:00.000Z');
    expect(next('0 0 13 * fri', '2026-12-11T12:00:00Z')).toBe('2026-12-13T00:00:00.000Z');
    expect(next('0 0 */2 * fri', '2026-11-01T00:00:00Z')).toBe('2026-11-13T00:00:00.000Z');
  });

  test('finds the next leap day however far away it is', () => {
    expect(next('0 0 29 2 *', '2097-01-01T00:00:00Z')).toBe('2104-02-29T00:00:00.000Z');
    expect(previous('0 0 29 2 *', '2103-01-01T00:00:00Z')).toBe('2096-02-29T00:00:00.000Z');
    expect(next('0 0 29 2 */7', '2026-01-01T00:00:00Z')).toBe('2032-02-29T00:00:00.000Z');
  });

  test.each([
    ['', /five fields/],
    ['* * * *', /five fields/],
    ['* * * * * *', /five fields/],
    ['@daily', /five fields/],
    ['60 * * * *', /"60" is not a valid minute\. Use 0 to 59/],
    ['* 24 * * *', /not a valid hour/],
    ['* * 0 * *', /not a valid day of month/],
    ['* * * 13 *', /not a valid month\. Use 1 to 12 or a name such as feb/],
    ['* * * * 8', /not a valid day of week/],
    ['* * * * funday', /"funday" is not a valid day of week/],
    ['mon * * * *', /not a valid minute/],
    ['*/0 * * * *', /step of zero/],
    ['9-5 * * * *', /is reversed/],
    ['1,,2 * * * *', /not a valid minute/],
    ['1- * * * *', /not a valid minute/],
    ['-1 * * * *', /not a valid minute/],
    ['1.5 * * * *', /not a valid minute/],
    ['*/2/2 * * * *', /not a valid minute/],
    ['0 0 30 2 *', /never runs/],
    ['0 0 31 4,6,9,11 *', /never runs/],
  ])('rejects %s with an explanation', (text, reason) => {
    expect(() => parseCron(text)).toThrow(CronError);
    expect(() => parseCron(text)).toThrow(reason);
  });
});

/** Reference implementation, independent of the parser: whether a minute matches the text of a schedule. */
function matches(text: string, time: Date): boolean {
  const [minutes, hours, dates, months, days] = text.split(' ') as [string, string, string, string, string];
  const has = (field: string, value: number, least: number, most: number): boolean =>
    field.split(',').some((item) => {
      const [range, step] = item.split('/') as [string, string | undefined];
      const [low, high] = range === '*' ? [least, most] : range.split('-').map(Number);
      const end = high ?? (step ? most : low!);
      return value >= low! && value <= end && (value - low!) % Number(step ?? 1) === 0;
    });
  if (!has(minutes, time.getUTCMinutes(), 0, 59) || !has(hours, time.getUTCHours(), 0, 23) || !has(months, time.getUTCMonth() + 1, 1, 12))
    return false;
  const byDate = has(dates, time.getUTCDate(), 1, 31);
  const byDay =
    has(days, time.getUTCDay(), 0, 6) || (time.getUTCDay() === 0 && days !== '*' && !days.startsWith('*/') && has(days, 7, 0, 7));
  return dates.startsWith('*') || days.startsWith('*') ? byDate && byDay : byDate || byDay;
}

const field = (least: number, most: number) => {
  const value = fc.integer({ min: least, max: most });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 1, max: 9 });
  const item = fc.oneof(
    value.map(String),
    range,
    fc.tuple(range, step).map(([span, by]) => `${span}/${by}`),
    fc.tuple(value, step).map(([from, by]) => `${from}/${by}`),
  );
  return fc.oneof(
    fc.constant('*'),
    step.map((by) => `*/${by}`),
    fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(',')),
  );
};
const crons = fc.tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7)).map((parts) => parts.join(' '));
const times = fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T00:00:00Z'), noInvalidDate: true });

describe('cron compared with testing every minute', () => {
  const window = 2 * 24 * 60;

  test('the next and previous occurrence are the first minutes that match', () => {
    fc.assert(
      fc.property(crons, times, (text, time) => {
        let cron: ReturnType<typeof parseCron>;
        try {
          cron = parseCron(text);
        } catch {
          return;
        }
        const at = Math.floor(time.getTime() / 60_000) * 60_000;
        const walk = (from: number, direction: 1 | -1): Date | null => {
          for (let step = 0; step < window; step += 1) {
            const candidate = new Date(from + direction * step * 60_000);
            if (matches(text, candidate)) return candidate;
          }
          return null;
        };
        const ahead = nextOccurrence(cron, time)!;
        const behind = previousOccurrence(cron, time)!;
        const walkedAhead = walk(at + 60_000, 1);
        const walkedBehind = walk(at, -1);
        if (walkedAhead) expect(ahead).toEqual(walkedAhead);
        else expect(ahead.getTime()).toBeGreaterThan(at + window * 60_000);
        if (walkedBehind) expect(behind).toEqual(walkedBehind);
        else expect(behind.getTime()).toBeLessThanOrEqual(at - window * 60_000);
        expect(matches(text, ahead) && matches(text, behind)).toBe(true);
      }),
      { numRuns: 250 },
    );
  });

  test('only a schedule that never matches is rejected', () => {
    fc.assert(
      fc.property(field(1, 31), field(1, 12), (dates, months) => {
        const text = `0 0 ${dates} ${months} *`;
        const everyDay = Array.from({ length: 1_461 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)));
        const fires = everyDay.some((day) => matches(text, day));
        if (fires) expect(nextOccurrence(parseCron(text), new Date('2024-01-01T00:00:00Z'))).not.toBeNull();
        else expect(() => parseCron(text)).toThrow(/never runs/);
      }),
    );
  });
});
