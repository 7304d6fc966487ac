import type { ReactNode } from 'react';
import { listProps, readOnlyListProps } from '../shell/list-keys.ts';
import { Button, classNames } from './button.tsx';
import s from './table.module.css';

export interface Column<Row> {
  head: ReactNode;
  cell: (row: Row) => ReactNode;
  className?: string;
  /** Left out where the screen is narrow. */
  wideOnly?: boolean;
  title?: (row: Row) => string | undefined;
}

interface TableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: Column<Row>[];
  /** What can be done with a row, at its end. Without it the table is only read. */
  actions?: (row: Row) => ReactNode;
  /** Numbers and ticks under their heads. */
  centred?: boolean;
}

/** One table for every page: the same heads, heights and keys. On a phone a row that is only read becomes a short paragraph. */
export function Table<Row>({ rows, keyOf, columns, actions, centred }: TableProps<Row>) {
  const at = (column: Column<Row>) => classNames(column.className, column.wideOnly && 'sm-hide');
  return (
    <div className={s.scroll}>
      <table className={classNames(s.table, !actions && !centred && s.read, centred && s.centred)}>
        <thead>
          <tr>
            {columns.map((column, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no name but its place
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
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no name but its place
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

/** Change and remove, each saying what it is about to those who cannot see the row. */
export function RowActions(props: { name: string; onEdit?: () => void; onRemove?: () => void; children?: ReactNode }) {
  return (
    <>
      {props.onEdit && (
        <Button data-main size="s" onClick={props.onEdit} aria-label={`Change ${props.name}`}>
          Change
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
