import { locale, t } from '../language/text.ts';

/** Numbers and sizes in the chosen language. */
const integer = new Intl.NumberFormat(locale());
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;
const sizeFormats = new Map<string, Intl.NumberFormat>();

export const formatCount = (n: number): string => integer.format(n);

function sizeFormat(unit: string, digits: number): Intl.NumberFormat {
  const key = `${unit}${digits}`;
  let format = sizeFormats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits });
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
  if (seconds < 10) return t('{n} s', { n: Math.round(seconds * 10) / 10 });
  if (seconds < 59.5) return t('{n} s', { n: Math.round(seconds) });
  // Rounded before it is divided, so that no part shows 60.
  const whole = Math.round(seconds);
  const values = { m: Math.floor(whole / 60), s: whole % 60 };
  if (whole < 3600) return values.s ? t('{m} min {s} s', values) : t('{m} min', values);
  const minutes = Math.round(seconds / 60);
  return t('{h} h {m} min', { h: Math.floor(minutes / 60), m: minutes % 60 });
}

/** What matters of a long time: "26 min", "5 h", "12 days". */
export function roughDuration(seconds: number): string {
  if (seconds < 60) return formatDuration(seconds);
  if (seconds < 3600) return t('{m} min', { m: Math.floor(seconds / 60) });
  if (seconds < 48 * 3600) return t('{h} h', { h: Math.floor(seconds / 3600) });
  return t('{n|# day|# days}', { n: Math.floor(seconds / 86_400) });
}
