import { ArrowDown, ArrowUp } from 'lucide-react';
import type { Report, ReportField } from '../../api/types.ts';
import { Table } from '../../components/table.tsx';
import { serverText, t } from '../../language/text.ts';
import { CellContent, formatCell, isNumeric, numberHref, type Row, rowHref } from './cells.tsx';

interface ReportTableProps {
  fields: readonly ReportField[];
  rows: readonly Row[];
  rowLink: Report['row_link'];
  /** Such as -size; the first sort key. */
  sort: string;
  onSort?: (sort: string) => void;
  sums?: Record<string, number>;
}

/** Forms of a path that only libraries with a native or shared address have. */
const otherPaths: readonly string[] = ['native_path', 'share_url', 'share_unc'];

/** The rows of a report. A heading sorts, numbers are aligned, and the sums of all rows stand below. */
export function ReportTable({ fields, rows, rowLink, sort, onSort, sums = {} }: ReportTableProps) {
  const shown = fields.filter(({ hidden, key }) => !hidden && (!otherPaths.includes(key) || rows.some((row) => row[key] !== null)));
  const [current] = sort.split(',');
  const direction = (key: string) => (current === key ? 'ascending' : current === `-${key}` ? 'descending' : undefined);
  const hasSums = shown.some(({ key }) => key in sums);
  const head = (field: ReportField) =>
    onSort && field.sortable ? (
      <button type="button" onClick={() => onSort(current === `-${field.key}` ? field.key : `-${field.key}`)}>
        {serverText(field.label)}
        {direction(field.key) === 'ascending' && <ArrowUp size={14} aria-hidden />}
        {direction(field.key) === 'descending' && <ArrowDown size={14} aria-hidden />}
      </button>
    ) : (
      serverText(field.label)
    );
  return (
    <Table
      wide
      rows={rows}
      // Rows are replaced as a whole.
      keyOf={(_, at) => String(at)}
      columns={shown.map((field, position) => ({
        head: head(field),
        cell: (row: Row) => (
          <CellContent
            value={row[field.key]}
            field={field}
            href={position === 0 ? rowHref(rowLink, row) : numberHref(rowLink, row, field.key)}
          />
        ),
        numeric: isNumeric(field),
        sorted: direction(field.key),
        ...(hasSums && { foot: field.key in sums ? formatCell(sums[field.key], field) : position === 0 ? t('Total') : '' }),
      }))}
    />
  );
}
