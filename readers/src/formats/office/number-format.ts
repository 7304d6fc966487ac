/**
 * Numbers and dates of spreadsheets as their number format shows them, such as `#,##0.00`, `0%` or `d-mmm-yy`. What people see in a cell is
 * what they search for. Fractions and formats that are not understood give the plain number.
 */

/** The formats that files refer to by number only. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '$#,##0',
  6: '$#,##0',
  7: '$#,##0.00',
  8: '$#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0',
  42: '$#,##0',
  43: '#,##0.00',
  44: '$#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
  48: '##0.0E+0',
};
const asianDates = new Set([27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]);

export function builtInFormat(index: number): string | undefined {
  return builtIn[index] ?? (asianDates.has(index) ? 'yyyy-mm-dd' : undefined);
}

/** A number as text: as shown, and also plainly if that is something else. */
export function numberTexts(value: number, format: string | undefined, from1904: boolean): string {
  if (!Number.isFinite(value)) return '';
  const plain = String(Number(value.toPrecision(15)));
  const parts = format === undefined || format.length > maxFormat ? undefined : sectionFor(format, value);
  if (parts === undefined) return general(value, plain);
  if (parts.some(isDatePart)) {
    const date = isoDate(value, from1904);
    if (date === undefined) return plain;
    const shown = shownDate(parts, value, from1904);
    return parts.some((part) => /^[dy]/i.test(part)) && shown !== date ? `${shown} ${date}` : shown;
  }
  const shown = shownNumber(parts, value);
  return shown === undefined ? plain : shown === plain ? plain : `${shown} ${plain}`;
}

const maxFormat = 500;

/** A cell without a format shows at most ten decimals. */
function general(value: number, plain: string): string {
  const shown = String(Number(value.toPrecision(10)));
  return shown === plain ? plain : `${shown} ${plain}`;
}

const partPattern = /"([^"]*)"|\\(.)|_.|\*.|\[([^\]]*)\]|AM\/PM|A\/P|General|E[+-]0+|y+|m+|d+|h+|s+(?:\.0+)?|[#0?]+|[.,%@/]|[^"\\[]/gi;

/** A sheet has few formats and many cells. */
const parsed = new Map<string, string[][]>();

function sectionsOf(format: string): string[][] {
  const known = parsed.get(format);
  if (known !== undefined) return known;
  const sections: string[][] = [[]];
  for (const [part] of format.matchAll(partPattern)) {
    if (part === ';') sections.push([]);
    else (sections.at(-1) as string[]).push(part);
  }
  if (parsed.size >= 1000) parsed.clear();
  parsed.set(format, sections);
  return sections;
}

/** The parts of the section for positive, negative or zero numbers. Undefined for texts and fractions. */
function sectionFor(format: string, value: number): string[] | undefined {
  const sections = sectionsOf(format);
  const conditional = sections.findIndex((parts) => conditionHolds(parts, value) === true);
  const hasConditions = sections.some((parts) => conditionHolds(parts, value) !== undefined);
  const usual = value < 0 && sections.length > 1 ? 1 : value === 0 && sections.length > 2 ? 2 : 0;
  const index = !hasConditions
    ? usual
    : conditional !== -1
      ? conditional
      : sections.findIndex((parts) => conditionHolds(parts, value) === undefined);
  const parts = sections[index];
  if (parts === undefined) return undefined;
  if (parts.length === 0 || parts.some((part) => /^(general|@)$/i.test(part))) return undefined;
  const digits = parts.filter((part) => /^[#0?]/.test(part)).length;
  if (parts.includes('/') && digits > 1 && !parts.some(isDatePart)) return undefined;
  // A negative section shows its own sign, if any.
  return index === 1 && !hasConditions ? ['\u0001', ...parts] : parts;
}

/** Whether a number fulfils the condition of a section, such as `[<=25]`. Undefined if the section has none. */
function conditionHolds(parts: readonly string[], value: number): boolean | undefined {
  for (const part of parts) {
    const [, operator, limit] = /^\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]$/.exec(part) ?? [];
    if (limit === undefined) continue;
    const other = Number(limit);
    if (operator === '=') return value === other;
    if (operator === '<>') return value !== other;
    return (
      (operator?.startsWith('<') && value < other) ||
      (operator?.startsWith('>') && value > other) ||
      (operator?.endsWith('=') === true && value === other)
    );
  }
  return undefined;
}

function isDatePart(part: string): boolean {
  return /^(y+|m+|d+|h+|s+(\.0+)?|\[(h+|m+|s+)\])$/i.test(part);
}

/** Text that a format shows as it is; brackets hold colours, conditions and currencies. */
function literal(part: string): string {
  if (part.startsWith('"')) return part.slice(1, -1);
  if (part.startsWith('\\')) return part.slice(1);
  if (part.startsWith('[')) return /^\[\$([^-\]]*)/.exec(part)?.[1] ?? '';
  return /^[_*\u0001]/.test(part) ? ' ' : part;
}

function shownNumber(parts: readonly string[], value: number): string | undefined {
  const places = parts.filter((part) => /^[#0?]+$/.test(part));
  if (places.length === 0) return parts.map(literal).join('').trim() || undefined;
  const point = parts.indexOf('.');
  const isPlace = (part: string) => /^[#0?]+$/.test(part);
  const decimals = point === -1 ? '' : parts.slice(point).filter(isPlace).join('');
  const whole = (point === -1 ? parts : parts.slice(0, point)).filter(isPlace).join('');
  const lastPlace = parts.findLastIndex(isPlace);
  const firstPlace = parts.findIndex(isPlace);
  const thousands = parts.slice(firstPlace, lastPlace).includes(',');
  const scale = parts.slice(lastPlace + 1).filter((part) => part === ',').length;
  const percent = parts.filter((part) => part === '%').length;
  const exponent = parts.find((part) => /^E[+-]/i.test(part));
  const amount = Math.abs(value) * 100 ** percent * 1000 ** -scale;
  const isMask =
    point === -1 && exponent === undefined && parts.slice(firstPlace, lastPlace).some((part) => !isPlace(part) && part !== ',');
  if (isMask) return `${value < 0 && parts[0] !== '\u0001' ? '-' : ''}${maskedDigits(parts, Math.round(amount))}`.trim();
  let digits: string;
  if (exponent !== undefined) digits = scientific(amount, decimals.length, exponent);
  else {
    const required = decimals.replace(/[#?]/g, '').length;
    const fixed = amount.toFixed(Math.min(decimals.length, 30));
    if (/e/.test(fixed)) return undefined;
    digits = fixed.includes('.') ? trimZeros(fixed, required) : fixed;
    const zeros = whole.replace(/[#?]/g, '').length;
    const [head = '', tail] = digits.split('.');
    const padded = head.padStart(zeros, '0');
    const grouped = thousands ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded;
    digits = tail === undefined || tail === '' ? grouped : `${grouped}.${tail}`;
  }
  const sign = value < 0 && parts[0] !== '\u0001' ? '-' : '';
  const before = parts
    .slice(0, firstPlace)
    .filter((part) => part !== '.' && part !== ',')
    .map(literal)
    .join('');
  const after = parts
    .slice(lastPlace + 1)
    .filter((part) => part !== ',' && part !== exponent && part !== '.')
    .map(literal)
    .join('');
  return `${sign}${before}${digits}${after}`.replace(/\s+/g, ' ').trim();
}

/** A number with texts between its digits, such as the `000-00-0000` of a phone number. Places are filled from the right. */
function maskedDigits(parts: readonly string[], amount: number): string {
  let rest = String(amount);
  const shown: string[] = [];
  const first = parts.findIndex((part) => /^[#0?]+$/.test(part));
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at] as string;
    if (!/^[#0?]+$/.test(part)) {
      shown.unshift(part === ',' ? '' : literal(part));
      continue;
    }
    const count = at === first ? Math.max(part.length, rest.length) : part.length;
    const zeros = part.replace(/[#?]/g, '').length;
    shown.unshift(rest.slice(-count).padStart(Math.min(zeros, count), '0'));
    rest = rest.slice(0, Math.max(0, rest.length - count));
  }
  return shown.join('').replace(/\s+/g, ' ');
}

function trimZeros(fixed: string, required: number): string {
  const [head, tail = ''] = fixed.split('.');
  let end = tail.length;
  while (end > required && tail[end - 1] === '0') end -= 1;
  return end === 0 ? (head as string) : `${head}.${tail.slice(0, end)}`;
}

function scientific(amount: number, decimals: number, exponent: string): string {
  const [mantissa, power = '+0'] = amount.toExponential(Math.min(decimals, 30)).toUpperCase().split('E');
  const sign = power.startsWith('-') ? '-' : exponent[1] === '+' ? '+' : '';
  return `${mantissa}E${sign}${power.replace(/[+-]/, '').padStart(exponent.length - 2, '0')}`;
}

const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const dayMs = 86_400_000;

/** Undefined for numbers that are no date. Excel counts a 29 February 1900, which never was. */
function dateOf(serial: number, from1904: boolean): Date | undefined {
  const since1900 = serial + (from1904 ? 1462 : 0);
  if (!(since1900 >= 0 && since1900 < 2_958_466)) return undefined;
  return new Date(Math.round((since1900 - (since1900 < 60 ? 25_568 : 25_569)) * dayMs));
}

function isoDate(serial: number, from1904: boolean): string | undefined {
  const date = dateOf(serial, from1904);
  return Number.isInteger(serial) ? date?.toISOString().slice(0, 10) : date?.toISOString().slice(0, 16).replace('T', ' ');
}

function shownDate(parts: readonly string[], serial: number, from1904: boolean): string {
  // Times are shown to the second, so half a second more avoids 9:59:60.
  const date = new Date((dateOf(serial, from1904) as Date).getTime() + (parts.some((part) => part.includes('.0')) ? 0 : 500));
  const twelve = parts.some((part) => /^(AM\/PM|A\/P)$/i.test(part));
  const pad = (value: number, part: string) => (part.length > 1 ? String(value).padStart(2, '0') : String(value));
  const nearestTime = (at: number, step: number): string => {
    for (let n = at + step; n >= 0 && n < parts.length; n += step)
      if (isDatePart(parts[n] as string)) return (parts[n] as string).toLowerCase();
    return '';
  };
  const shown = parts.map((part, at) => {
    const lower = part.toLowerCase();
    if (/^\[h+\]$/.test(lower)) return String(Math.floor(serial * 24 + 1e-9));
    if (/^\[m+\]$/.test(lower)) return String(Math.floor(serial * 1440 + 1e-9));
    if (/^\[s+\]$/.test(lower)) return String(Math.round(serial * 86_400));
    if (/^y+$/.test(lower)) return lower.length > 2 ? String(date.getUTCFullYear()) : pad(date.getUTCFullYear() % 100, 'yy');
    if (/^d+$/.test(lower)) {
      const name = days[date.getUTCDay()] as string;
      return lower.length > 3 ? name : lower.length === 3 ? name.slice(0, 3) : pad(date.getUTCDate(), lower);
    }
    if (/^h+$/.test(lower)) return pad(twelve ? date.getUTCHours() % 12 || 12 : date.getUTCHours(), lower);
    if (/^s+(\.0+)?$/.test(lower)) return pad(date.getUTCSeconds(), lower.replace(/\..*/, ''));
    if (/^m+$/.test(lower)) {
      const minutes = lower.length < 3 && (/h/.test(nearestTime(at, -1)) || /^\[?s/.test(nearestTime(at, 1)));
      if (minutes) return pad(date.getUTCMinutes(), lower);
      const name = months[date.getUTCMonth()] as string;
      return lower.length > 3 ? name : lower.length === 3 ? name.slice(0, 3) : pad(date.getUTCMonth() + 1, lower);
    }
    if (lower === 'am/pm') return date.getUTCHours() < 12 ? 'AM' : 'PM';
    if (lower === 'a/p') return date.getUTCHours() < 12 ? 'A' : 'P';
    return literal(part);
  });
  return shown.join('').replace(/\s+/g, ' ').trim();
}
