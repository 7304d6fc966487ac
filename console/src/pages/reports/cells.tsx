import type { Report, ReportField } from '../../api/types.ts';
import { TextLink } from '../../components/button.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { searchHref } from '../search/search-state.ts';

export type Row = Record<string, unknown>;

export const isNumeric = ({ type }: Pick<ReportField, 'type'>): boolean => type === 'integer' || type === 'bytes' || type === 'decimal';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reports count sidecars, which a search leaves out unless it is asked for them. */
const counted = { sidecars: 'true' };

/** What a row opens, as an address; null when there is nothing behind it. */
export function rowHref(link: Report['row_link'] | 'item', row: Row): string | null {
  const hash = text(row['content_hash']) || text(row['quick_hash']) || text(row['dup_key']).replace(/^q|:.*$/g, '');
  switch (link) {
    case 'item':
      return row['item_id'] ? `#/item/${text(row['item_id'])}` : null;
    case 'search_ext':
      return row['extension'] ? `#${searchHref({ extensions: [text(row['extension'])] })}` : null;
    case 'search_hash':
      return hash ? `#${searchHref({ q: `hash:${hash}`, ...counted })}` : null;
    case 'search_tag':
      return `#${searchHref({ tags: [text(row['tag'])], ...counted })}`;
    case 'search_category':
      return `#${searchHref({ categories: [text(row['file_category'])], ...counted })}`;
    case 'browse':
      return `#/browse/${text(row['library_id'])}?path=${encodeURIComponent(text(row['folder']))}`;
    case 'person':
      return `#/reports/access?principal=${encodeURIComponent(text(row['principal_id']))}`;
    case 'library':
      return `#/browse/${text(row['library_id'])}`;
    default:
      return null;
  }
}

const COUNTS: Record<string, string> = { file_count: '', items: '', copies: '', missing_items: 'missing', trashed_items: 'trashed' };

/** The search behind a number of files; null for other numbers and for those of the past. */
export function numberHref(link: Report['row_link'], row: Row, key: string): string | null {
  const status = COUNTS[key];
  if (status === undefined || !row[key] || 'week' in row) return null;
  if (link.startsWith('search_')) return status === '' ? rowHref(link, row) : null;
  const libraries = [text(row['library_id'])];
  if (link === 'library') return `#${searchHref({ libraries, status, ...counted })}`;
  return link === 'browse' ? `#${searchHref({ libraries, path: text(row['folder']), ...counted })}` : null;
}

const MATCH_LABELS: Record<string, string> = { content_hash: t('Proven'), quick_hash: t('Sampled'), shares_storage: t('Shares storage') };

/** A cell as people read it. Changes in size keep their sign. */
export function formatCell(value: unknown, { key, type }: Pick<ReportField, 'key' | 'type'>): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(String).join('\n');
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'number') {
    const shown = type === 'bytes' ? formatBytes(Math.abs(value)) : formatCount(Math.abs(value));
    return value < 0 ? `−${shown}` : key.startsWith('change_') && value > 0 ? `+${shown}` : shown;
  }
  const words = String(value);
  if (type === 'time') return formatDateTime(words);
  if (type === 'date') return formatDate(`${words}T12:00:00`);
  if (key === 'hash_tier') return MATCH_LABELS[words] ?? words;
  if (key === 'file_category') return categoryStyle(words).label;
  return visibleName(words);
}

/** The first column of a row opens what is behind it. */
export function CellContent({ value, field, href }: { value: unknown; field: ReportField; href: string | null }) {
  const shown = formatCell(value, field) || (field.key === 'extension' ? t('No extension') : '');
  if (Array.isArray(value))
    return (
      <details>
        <summary>{value.length === 0 ? '' : visibleName(String(value[0]))}</summary>
        {value.slice(1).map((each) => (
          <div key={String(each)}>{visibleName(String(each))}</div>
        ))}
      </details>
    );
  return href && shown ? (
    <TextLink href={href}>
      <bdi>{shown}</bdi>
    </TextLink>
  ) : (
    <bdi>{shown}</bdi>
  );
}
