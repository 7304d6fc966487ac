import type { Item } from '../../../api/types.ts';
import { t } from '../../../language/text.ts';

/** Files that the console draws itself, and the name of that view. */
export const RICH_LABELS = {
  markdown: t('Document'),
  delimited: t('Table'),
  workbook: t('Sheets'),
  mail: t('Message'),
  notebook: t('Notebook'),
  track: t('Track'),
  font: t('Font'),
  record: t('Facts'),
} as const;
export type RichKind = keyof typeof RICH_LABELS;

const BY_EXTENSION: Record<string, RichKind> = {
  md: 'markdown',
  markdown: 'markdown',
  csv: 'delimited',
  tsv: 'delimited',
  xlsx: 'workbook',
  xlsm: 'workbook',
  xltx: 'workbook',
  ipynb: 'notebook',
  gpx: 'track',
  ttf: 'font',
  otf: 'font',
  woff: 'font',
  woff2: 'font',
};
const RECORDS = ['certificate', 'key', 'database'];

export function richKindOf(item: Item): RichKind | null {
  if (item.status !== 'active' || item.size === 0) return null;
  const kind = BY_EXTENSION[(item.extension ?? '').toLowerCase()];
  if (kind) return kind;
  if (typeof item.metadata['email_from'] === 'string' || typeof item.metadata['email_subject'] === 'string') return 'mail';
  const record = RECORDS.map((key) => item.metadata[key]).find((value) => typeof value === 'object' && value !== null) as
    | { format?: unknown; kind?: unknown }
    | undefined;
  return record && record.format !== 'unknown' && record.kind !== 'unknown' ? 'record' : null;
}
