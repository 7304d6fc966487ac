import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../../../api/problem.ts';
import type { Item } from '../../../api/types.ts';
import { Loading } from '../../../components/states.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { t } from '../../../language/text.ts';
import { MAX_ROWS, readDelimited, type Sheet } from './read-table.ts';
import s from './rich.module.css';
import { useFileBytes } from './use-file-bytes.ts';

const MAX_WORKBOOK = 24 * 1024 * 1024;

const columnName = (at: number): string =>
  at < 26 ? String.fromCharCode(65 + at) : columnName(Math.floor(at / 26) - 1) + columnName(at % 26);

/** Delimited text as a table. */
export function DelimitedView({ item, text }: { item: Item; text: string }) {
  const delimiter = item.metadata['delimiter'];
  const known = item.extension === 'tsv' ? '\t' : typeof delimiter === 'string' && delimiter.length === 1 ? delimiter : undefined;
  return <SheetTable sheet={readDelimited(text, known)} headed />;
}

/** The sheets of a workbook as tables. */
export function WorkbookView({ item, onFailed }: { item: Item; onFailed: (() => void) | undefined }) {
  const file = useFileBytes(item, MAX_WORKBOOK);
  const sheets = useQuery({
    queryKey: ['item', item.id, 'sheets', file.dataUpdatedAt],
    queryFn: async () => (await import('./read-workbook.ts')).readWorkbook(file.data ?? new ArrayBuffer(0)),
    enabled: file.data !== undefined,
    retry: false,
    gcTime: 30_000,
  });
  const [chosen, setChosen] = useState(0);
  if (!file.fits || file.error || sheets.error || sheets.data?.length === 0)
    return (
      <p className={s.note} role="status">
        {file.error
          ? errorMessage(file.error)
          : file.fits
            ? t('The sheets could not be shown as tables.')
            : t('This workbook is too large to be shown as tables.')}{' '}
        {onFailed && (
          <button type="button" className={s.link} onClick={onFailed}>
            {t('Show its text')}
          </button>
        )}
      </p>
    );
  if (!sheets.data) return <Loading what={t('the sheets')} />;
  const sheet = sheets.data[Math.min(chosen, sheets.data.length - 1)];
  return (
    <>
      {sheets.data.length > 1 && (
        <div className={s.sheets} role="toolbar" aria-label={t('Sheets')}>
          {sheets.data.map((one, at) => (
            <button key={one.name} type="button" aria-pressed={at === chosen} onClick={() => setChosen(at)}>
              {one.name}
            </button>
          ))}
        </div>
      )}
      {sheet && <SheetTable key={sheet.name} sheet={sheet} />}
    </>
  );
}

/** A sheet with row numbers; columns have their names from the first row, or letters. */
function SheetTable({ sheet, headed = false }: { sheet: Sheet; headed?: boolean }) {
  const width = sheet.rows.reduce((most, row) => Math.max(most, row.length), 0);
  const columns = Array.from({ length: width }, (_, at) => (headed ? (sheet.rows[0]?.[at] ?? '') : columnName(at)));
  const rows = headed ? sheet.rows.slice(1) : sheet.rows;
  if (width === 0) return <p className={s.note}>{t('This sheet is empty.')}</p>;
  return (
    <>
      <table className={s.table} data-grid>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{t('Row')}</span>
            </th>
            {columns.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity
            <tr key={at}>
              <th scope="row">{formatCount(at + (headed ? 2 : 1))}</th>
              {columns.map((_, column) => {
                const cell = row[column] ?? '';
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other identity
                  <td key={column} data-number={cell !== '' && Number.isFinite(Number(cell))}>
                    {cell}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {sheet.truncated && (
        <p className={s.note}>{t('Showing the first {max_rows} rows. Download the file to see the rest.', { max_rows: MAX_ROWS })}</p>
      )}
    </>
  );
}
