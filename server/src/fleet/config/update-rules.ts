/**
 * When the settings of an agent let it update itself: not at all, not before a day, or only within hours such as "mon-fri 22:00-05:00
 * Europe/Berlin". Hours that end before they begin run past midnight; their day is the one on which they begin. Without a zone they are UTC.
 */
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const windowPattern = /^(\S+) ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)(?: (\S+))?$/;
const dayMinutes = 1440;

export const updateRuleKeys = ['auto_update', 'update_not_before', 'update_window'] as const;
export type UpdateRules = Partial<Record<(typeof updateRuleKeys)[number], unknown>>;

/** Why an agent with these settings does not update itself now; null when it may. */
export function updateHold(rules: UpdateRules, now: Date): string | null {
  if (rules.auto_update === false) return 'The settings of this agent do not let it update itself.';
  if (Date.parse(String(rules.update_not_before ?? '')) > now.getTime())
    return 'The settings of this agent let it update itself on a later day only.';
  const window = typeof rules.update_window === 'string' ? readWindow(rules.update_window) : null;
  return window && !isInside(window, now) ? 'The settings of this agent let it update itself at other hours only.' : null;
}

interface UpdateWindow {
  days: ReadonlySet<number>;
  from: number;
  to: number;
  zone: string;
}

/** Null when the text does not name days, hours and a zone. */
export function readWindow(text: string): UpdateWindow | null {
  const [, names, h1, m1, h2, m2, zone = 'UTC'] = windowPattern.exec(text.trim()) ?? [];
  const days = names === undefined ? null : readDays(names.toLowerCase());
  const [from, to] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)];
  return days === null || from === to || !isZone(zone) ? null : { days, from, to, zone };
}

function readDays(names: string): Set<number> | null {
  if (names === '*') return new Set(dayNames.keys());
  const days = new Set<number>();
  for (const part of names.split(',')) {
    const numbers = part.split('-').map((name) => dayNames.indexOf(name));
    const [first = -1, last = first] = numbers;
    if (numbers.length > 2 || first < 0 || last < 0) return null;
    for (let day = first; day !== last; day = (day + 1) % 7) days.add(day);
    days.add(last);
  }
  return days;
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== null;
  } catch {
    // The zone is not known.
    return false;
  }
}

function isInside({ days, from, to, zone }: UpdateWindow, now: Date): boolean {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = dayNames.indexOf(String(parts['weekday']).toLowerCase());
  const at = Number(parts['hour']) * 60 + Number(parts['minute']);
  const end = to > from ? to : to + dayMinutes;
  return (days.has(day) && at >= from && at < end) || (days.has((day + 6) % 7) && at + dayMinutes < end);
}
