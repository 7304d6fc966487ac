import { categoryLook } from '../../format/categories.ts';

/** What the filter language calls its fields and values, in the words of people. */
const FIELDS: Record<string, string> = { ext: 'type', path: 'folder', is: 'status', 'meta.width': 'width', 'meta.height': 'height' };

export const fieldWord = (field: string): string => FIELDS[field] ?? field.replace(/^(meta|cf)\./, '').replaceAll('_', ' ');

const UNITS: Record<string, string> = { k: 'kB', m: 'MB', g: 'GB', t: 'TB' };
const SPANS: Record<string, string> = { h: 'hour', d: 'day', w: 'week', mo: 'month', y: 'year' };
const HAS: Record<string, string> = {
  error: 'a problem',
  text: 'text',
  members: 'members',
  tags: 'tags',
  notes: 'a note',
  origin: 'an origin',
};

const size = (text: string): string =>
  text.replace(/(\d(?:[\d.]*\d)?)\s*([kmgt])i?b?\b/gi, (_all, n: string, unit: string) => `${n} ${UNITS[unit.toLowerCase()]}`);

function compared(value: string, less: string, more: string, words: (text: string) => string = (text) => text): string {
  if (value.includes('..'))
    return value
      .split('..')
      .map((end) => words(end.trim()) || '…')
      .join(' – ');
  const [, sign = '', rest = value] = /^([<>]=?|=)?(.*)$/s.exec(value) ?? [];
  const plain = words(rest.trim());
  if (sign.startsWith('<')) return `${less} ${plain}`;
  return sign.startsWith('>') ? `${more} ${plain}` : plain;
}

/** modified:<30d asks for files younger than 30 days, modified:<2020 for those before 2020. */
function moment(value: string): string {
  const age = /^([<>])=?(\d+)(h|d|w|mo|y)$/i.exec(value);
  if (!age) return compared(value, 'before', value.startsWith('>=') ? 'since' : 'after');
  const unit = SPANS[age[3]!.toLowerCase()]!;
  const span = `${age[2]} ${unit}${age[2] === '1' ? '' : 's'}`;
  return age[1] === '<' ? `in the last ${span}` : `more than ${span} ago`;
}

/** The values of one filter; several stand for "or". */
export function valueWords(field: string, value: string): string[] {
  if (field === 'modified' || field === 'created') return [moment(value)];
  if (field === 'size') return [compared(value, 'under', 'over', size)];
  const list = value
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);
  if (field === 'kind') return list.map((one) => categoryLook(one === '3d' ? 'three-d-cad' : one).label);
  if (field === 'has') return list.map((one) => HAS[one] ?? one);
  return list.map((one) => compared(one, 'under', 'over'));
}
