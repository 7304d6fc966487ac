import type { ReactNode } from 'react';
import { listProps, readOnlyListProps } from '../shell/list-keys.ts';
import { Button, classNames } from './button.tsx';
import s from './table.module.css';

export interface Column<Row> {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  className?: string;
  /** Hidden on narrow screens. */
  wideOnly?: boolean;
  title?: (row: Row) => string | undefined;
}

interface TableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: Column<Row>[];
  /** Buttons at the end of a row. Without them the table is read-only. */
  actions?: (row: Row) => ReactNode;
  /** Centres the columns, for numbers and check marks. */
  centred?: boolean;
}

/** The table of every page. On a phone the rows of a read-only table become short paragraphs. */
export function Table<Row>({ rows, keyOf, columns, actions, centred }: TableProps<Row>) {
  const at = (column: Column<Row>) => classNames(column.className, column.wideOnly && 'sm-hide');
  return (
    <div className={s.scroll}>
      <table className={classNames(s.table, !actions && !centred && s.read, centred && s.centred)}>
        <thead>
          <tr>
            {columns.map((column, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
              <th key={i} className={column.wideOnly ? 'sm-hide' : undefined}>
                {column.head}
              </th>
            ))}
            {actions && (
              <th>
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...(rows.length === 0 ? {} : actions ? listProps : readOnlyListProps)}>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
                <td key={i} className={at(column)} title={column.title?.(row)}>
                  {column.cell(row)}
                </td>
              ))}
              {actions && (
                <td>
                  <span className={s.actions}>{actions(row)}</span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Edit and Remove buttons; their accessible names include the row, for screen readers. */
export function RowActions(props: { name: string; onEdit?: () => void; onRemove?: () => void; children?: ReactNode }) {
  return (
    <>
      {props.onEdit && (
        <Button data-main size="s" onClick={props.onEdit} aria-label={`Edit ${props.name}`}>
          Edit
        </Button>
      )}
      {props.children}
      {props.onRemove && (
        <Button size="s" variant="danger" onClick={props.onRemove} aria-label={`Remove ${props.name}`}>
          Remove
        </Button>
      )}
    </>
  );
}
