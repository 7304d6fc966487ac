import { Fragment, type ReactNode } from 'react';
import { t } from '../language/text.ts';
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
  /** Right-aligned, with digits of one width. */
  numeric?: boolean;
  /** The order of the rows, when this column decides it. */
  sorted?: 'ascending' | 'descending' | undefined;
  /** A cell below all rows, such as a total. */
  foot?: ReactNode;
}

interface TableProps<Row> {
  rows: readonly Row[];
  keyOf: (row: Row, at: number) => string;
  columns: Column<Row>[];
  /** Buttons at the end of a row. Without them the table is read-only. */
  actions?: (row: Row) => ReactNode;
  /** The heading under which a row is listed. Rows with the same heading must be next to each other. */
  sectionOf?: ((row: Row) => string) | undefined;
  /** The row whose details are shown beside the table. */
  isCurrent?: (row: Row) => boolean;
  /** Centres the columns, for numbers and check marks. */
  centred?: boolean;
  /** For any number of columns with long texts: on a narrow screen the table scrolls in a box of its own. */
  wide?: boolean;
}

/** The table of every page. On a phone its rows become short paragraphs with their buttons below, unless it is wide or centred. */
export function Table<Row>({ rows, keyOf, columns, actions, sectionOf, isCurrent, centred, wide }: TableProps<Row>) {
  const at = ({ className, numeric, wideOnly }: Column<Row>) => classNames(className, numeric && s.numeric, wideOnly && 'sm-hide');
  const kind = wide ? s.wide : centred ? s.centred : actions ? s.edit : s.read;
  return (
    <div className={classNames(s.scroll, wide && s.box)}>
      <table className={classNames(s.table, kind, isCurrent && s.chooser)}>
        <thead>
          <tr>
            {columns.map((column, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
              <th key={i} className={classNames(column.numeric && s.numeric, column.wideOnly && 'sm-hide')} aria-sort={column.sorted}>
                {column.head}
              </th>
            ))}
            {actions && (
              <th>
                <span className="visually-hidden">{t('Actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody {...(rows.length === 0 ? {} : actions ? listProps : readOnlyListProps)}>
          {rows.map((row, position) => {
            const section = sectionOf?.(row);
            const before = rows[position - 1];
            const begins = section !== undefined && (before === undefined || sectionOf?.(before) !== section);
            return (
              <Fragment key={keyOf(row, position)}>
                {begins && (
                  <tr className={s.section}>
                    <th colSpan={columns.length + (actions ? 1 : 0)} scope="rowgroup">
                      {section} <span className="muted">{rows.filter((other) => sectionOf?.(other) === section).length}</span>
                    </th>
                  </tr>
                )}
                <tr {...(sectionOf && { 'data-row': '' })} className={isCurrent?.(row) ? s.current : undefined}>
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
              </Fragment>
            );
          })}
        </tbody>
        {columns.some(({ foot }) => foot !== undefined) && (
          <tfoot>
            <tr>
              {columns.map((column, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is identified by its position
                <td key={i} className={at(column)}>
                  {column.foot}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

/** Edit and Remove buttons; their accessible names include the row, for screen readers. */
export function RowActions(props: { name: string; onEdit?: () => void; onRemove?: () => void; children?: ReactNode }) {
  return (
    <>
      {props.onEdit && (
        <Button data-main size="s" onClick={props.onEdit} aria-label={t('Edit {name}', { name: props.name })}>
          {t('Edit')}
        </Button>
      )}
      {props.children}
      {props.onRemove && (
        <Button size="s" variant="danger" onClick={props.onRemove} aria-label={t('Remove {name}', { name: props.name })}>
          {t('Remove')}
        </Button>
      )}
    </>
  );
}
