/** Numbers and sizes in the user's locale. */
const integer = new Intl.NumberFormat();
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const sizeFormats = new Map<string, Intl.NumberFormat>();

export const formatCount = (n: number): string => integer.format(n);

function sizeFormat(unit: string, digits: number): Intl.NumberFormat {
  const key = `${unit}${digits}`;
  let format = sizeFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits });
    sizeFormats.set(key, format);
  }
  return format;
}

/** 8412338 becomes "8.4 MB". Decimal units, as disk vendors use. */
export function formatBytes(n: number): string {
  let value = n;
  let step = 0;
  while (value >= 999.5 && step < UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  return sizeFormat(UNITS[step] ?? 'byte', step === 0 || value >= 99.95 ? 0 : 1)
    .format(value)
    .replace(' byte', ' B')
    .replace(/ Bs?$/, ' B');
}

/** "1 file", "1,284 files". */
export function pluralize(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

const SMALL = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];

/** Spells out numbers below ten, for use in sentences. */
export const numberWord = (n: number): string => SMALL[n] ?? formatCount(n);

/** 161 seconds becomes "2:41", 3700 becomes "1:01:40". */
export function formatTimecode(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  const s = String(whole % 60).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${s}` : `${m}:${s}`;
}

/** 100 seconds becomes "1 min 40 s". */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 59.5) return `${Math.round(seconds)} s`;
  // Rounded before it is divided, so that no part shows 60.
  const whole = Math.round(seconds);
  if (whole < 3600) return whole % 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${Math.floor(whole / 60)} min`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
