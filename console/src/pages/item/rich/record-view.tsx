import type { Item } from '../../../api/types.ts';
import { formatDateTime } from '../../../format/dates.ts';
import { formatCount } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';
import s from './rich.module.css';

type Values = Record<string, unknown>;
const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The facts of a certificate, key or database, which are its best preview; null for other files. */
function recordOf(item: Pick<Item, 'metadata'>): { title: string; facts: Values; tables: Values[] } | null {
  for (const [key, title] of [
    ['certificate', t('Certificate')],
    ['key', t('Key')],
    ['database', t('Database')],
  ] as const) {
    const facts = item.metadata[key];
    if (!isObject(facts) || facts['format'] === 'unknown' || facts['kind'] === 'unknown') continue;
    const { tables, ...rest } = facts;
    return { title, facts: rest, tables: Array.isArray(tables) ? tables.filter(isObject) : [] };
  }
  return null;
}

/** The facts by their names in the metadata; others are written as they are. */
const LABELS: Record<string, string> = {
  algorithm: t('Algorithm'),
  alternative_names: t('Alternative names'),
  bits: t('Bits'),
  columns: t('Columns'),
  comment: t('Comment'),
  count: t('Count'),
  encoding: t('Encoding'),
  encrypted: t('Encrypted'),
  fingerprint_sha256: t('SHA-256 fingerprint'),
  format: t('Format'),
  index_count: t('Indexes'),
  issuer: t('Issuer'),
  key_bits: t('Key bits'),
  key_type: t('Key type'),
  kind: t('Kind'),
  name: t('Name'),
  not_after: t('Valid until'),
  not_before: t('Valid from'),
  page_size: t('Page size'),
  rows: t('Rows'),
  self_signed: t('Self-signed'),
  serial: t('Serial number'),
  subject: t('Issued to'),
  table_count: t('Tables'),
  trigger_count: t('Triggers'),
  truncated: t('Truncated'),
  view_count: t('Views'),
};
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

const label = (key: string): string => {
  const known = LABELS[key];
  if (known !== undefined) return known;
  const words = key.replaceAll('_', ' ').replace('sha256', 'SHA-256');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (isObject(value))
    return Object.entries(value)
      .map(([key, one]) => `${key} ${words(one)}`)
      .join(', ');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') return formatCount(value);
  if (typeof value === 'string' && isoTime.test(value) && !Number.isNaN(Date.parse(value))) return formatDateTime(value);
  return String(value ?? '');
}

export function RecordView({ item }: { item: Item }) {
  const record = recordOf(item);
  if (!record) return null;
  const { title, facts, tables } = record;
  const columns = [...new Set(tables.flatMap((table) => Object.keys(table)))];
  return (
    <div className={s.record}>
      <h2 className="h3">{title}</h2>
      <dl>
        {Object.entries(facts)
          .filter(([, value]) => value !== null && value !== '')
          .map(([key, value]) => (
            <div key={key}>
              <dt>{label(key)}</dt>
              <dd className="anywhere">{words(value)}</dd>
            </div>
          ))}
      </dl>
      {tables.length > 0 && (
        <div className={s.scrollX}>
          <table className={s.table}>
            <caption className="visually-hidden">{t('Tables')}</caption>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {label(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {tables.map((table, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a table has no other identity
                <tr key={at}>
                  {columns.map((column) => (
                    <td key={column}>{words(table[column])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
