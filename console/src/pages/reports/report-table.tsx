import { ArrowDown, ArrowUp } from 'lucide-react';
import type { Report, ReportField } from '../../api/types.ts';
import { classNames } from '../../components/button.tsx';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import { CellContent, formatCell, isNumeric, type Row, rowHref } from './cells.tsx';
import s from './reports.module.css';

interface ReportTableProps {
  fields: readonly ReportField[];
  rows: readonly Row[];
  rowLink: Report['row_link'];
  /** Such as -size; the first sort key. */
  sort: string;
  onSort?: (sort: string) => void;
  sums?: Record<string, number>;
}

/** The rows of a report. A heading sorts, numbers are aligned, and the sums of all rows stand below. */
export function ReportTable({ fields, rows, rowLink, sort, onSort, sums = {} }: ReportTableProps) {
  const shown = fields.filter(({ hidden }) => !hidden);
  const [current] = sort.split(',');
  const direction = (key: string) => (current === key ? 'ascending' : current === `-${key}` ? 'descending' : undefined);
  const hasSums = shown.some(({ key }) => key in sums);
  return (
    <div className={s.scroll}>
      <table className={s.table}>
        <thead>
          <tr>
            {shown.map((field) => (
              <th key={field.key} className={isNumeric(field) ? s.right : undefined} aria-sort={direction(field.key)}>
                {onSort && field.sortable ? (
                  <button type="button" onClick={() => onSort(current === `-${field.key}` ? field.key : `-${field.key}`)}>
                    {field.label}
                    {direction(field.key) === 'ascending' && <ArrowUp size={14} aria-hidden />}
                    {direction(field.key) === 'descending' && <ArrowDown size={14} aria-hidden />}
                  </button>
                ) : (
                  field.label
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...(rows.length === 0 ? {} : readOnlyListProps)}>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are replaced as a whole
            <tr key={at}>
              {shown.map((field, position) => (
                <td key={field.key} className={classNames(isNumeric(field) && s.right)}>
                  <CellContent value={row[field.key]} field={field} href={position === 0 ? rowHref(rowLink, row) : null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {hasSums && (
          <tfoot>
            <tr>
              {shown.map((field, position) => (
                <td key={field.key} className={classNames(isNumeric(field) && s.right)}>
                  {field.key in sums ? formatCell(sums[field.key], field) : position === 0 ? 'Total' : ''}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
