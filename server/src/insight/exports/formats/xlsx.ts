import type { Cell, ReportColumn, RowSource } from '../../reports/index.ts';
import { shownColumns, textOf } from './cells.ts';
import { createZip } from './zip.ts';

/**
 * A workbook written from start to end with constant memory: texts stand in their cells instead of a shared table, and every sheet is
 * compressed while its rows arrive. Numbers, dates and truth values are real ones; the first row is frozen and has a filter.
 */
export const xlsxMediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The limits of the format: rows of a sheet with its header, and characters of a cell. */
const maxSheetRows = 1_048_576;
const maxCellLength = 32_767;

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Indexes into cellXfs of the style sheet. */
const styles = { plain: 0, header: 1, integer: 2, decimal: 3, time: 4 } as const;

const styleSheet = `${head}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="5">${[
  [0, 0],
  [0, 1],
  [3, 0],
  [0, 0],
  [164, 0],
]
  .map(
    ([format, font]) => `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
  )
  .join('')}</cellXfs></styleSheet>`;

const special = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_|[\ud800-\udfff]/;
const control = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;

/** Characters that XML forbids are written as _xHHHH_, which spreadsheets read back; a text that looks like that is escaped itself. */
function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(control, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** A text that is too long says how much of it was left out. */
function fitCell(text: string): string {
  if (text.length <= maxCellLength) return text;
  const kept = maxCellLength - 60;
  return `${text.slice(0, kept).toWellFormed()} … (${text.length - kept} more characters)`;
}

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escapeText(fitCell(text))}</t></is></c>`;
}

/** Days since 1899-12-30. Dates that a spreadsheet cannot hold, before March 1900 or after 9999, are null. */
function serialDay(milliseconds: number): number | null {
  const serial = milliseconds / 86_400_000 + 25_569;
  return serial >= 61 && serial < 2_958_466 ? serial : null;
}

function encodeCell(place: string, cell: Cell, column: ReportColumn): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const instant = column.type === 'time' ? Number(cell) : column.type === 'date' ? Date.parse(String(cell)) : Number.NaN;
  const serial = serialDay(instant);
  if (serial !== null && !Number.isNaN(serial)) return `<c r="${place}" s="${styles.time}"><v>${serial}</v></c>`;
  if (typeof cell === 'number' && column.type !== 'time' && Number.isFinite(cell))
    return `<c r="${place}" s="${column.type === 'decimal' ? styles.decimal : styles.integer}"><v>${cell}</v></c>`;
  return textCell(place, textOf(cell, column), styles.plain);
}

function columnName(at: number): string {
  return at < 26 ? String.fromCharCode(65 + at) : columnName(Math.floor(at / 26) - 1) + String.fromCharCode(65 + (at % 26));
}

const widths: Record<string, number> = { text: 40, list: 60, integer: 14, bytes: 16, decimal: 12, time: 20, date: 20, boolean: 10 };

interface Rows {
  /** The next batch of at most this many rows; null at the end. */
  take(most: number): Promise<Cell[][] | null>;
  /** Closes their source when not all were taken. */
  close(): Promise<void>;
}

function createRows(batches: AsyncIterable<Cell[][]>): Rows {
  const iterator = batches[Symbol.asyncIterator]();
  let rest: Cell[][] = [];
  return {
    async take(most) {
      if (rest.length === 0) {
        const { done, value } = await iterator.next();
        if (done) return null;
        rest = value;
      }
      const taken = rest.slice(0, most);
      rest = rest.slice(most);
      return taken;
    },
    async close() {
      await iterator.return?.();
    },
  };
}

export async function* encodeXlsx(
  source: Pick<RowSource, 'columns' | 'title'>,
  batches: AsyncIterable<Cell[][]>,
  { sheetRows = maxSheetRows }: { sheetRows?: number } = {},
): AsyncGenerator<Buffer> {
  const rows = createRows(batches);
  try {
    yield* encodeRows(source, rows, sheetRows);
  } finally {
    await rows.close();
  }
}

async function* encodeRows(source: Pick<RowSource, 'columns'>, rows: Rows, sheetRows: number): AsyncGenerator<Buffer> {
  const zip = createZip();
  const shown = shownColumns(source.columns);
  let sheets = 0;
  // The next rows decide whether another sheet is needed; the first one is written in any case.
  let next = await rows.take(sheetRows - 1);
  do {
    sheets += 1;
    let left = sheetRows - 1;
    const sheet = async function* (): AsyncGenerator<string> {
      yield sheetHead(shown.map(({ column }) => column));
      let number = 1;
      while (next !== null && left > 0) {
        let text = '';
        for (const row of next) {
          number += 1;
          text += `<row r="${number}">`;
          for (let at = 0; at < shown.length; at += 1) {
            const each = shown[at];
            if (each) text += encodeCell(columnName(at) + number, row[each.at] ?? null, each.column);
          }
          text += '</row>';
        }
        left -= next.length;
        yield text;
        next = await rows.take(left > 0 ? left : sheetRows - 1);
      }
      yield `</sheetData>${shown.length > 0 ? `<autoFilter ref="A1:${columnName(shown.length - 1)}${number}"/>` : ''}</worksheet>`;
    };
    yield* zip.entry(`xl/worksheets/sheet${sheets}.xml`, sheet());
  } while (next !== null);
  for (const [name, text] of packageParts(sheets)) yield* zip.entry(name, once(text));
  yield zip.end();
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

function sheetHead(columns: readonly ReportColumn[]): string {
  const cells = columns.map((column, at) => textCell(`${columnName(at)}1`, column.label, styles.header)).join('');
  const sizes = columns
    .map(({ type }, at) => `<col min="${at + 1}" max="${at + 1}" width="${widths[type] ?? 20}" customWidth="1"/>`)
    .join('');
  return `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
${columns.length > 0 ? `<cols>${sizes}</cols>` : ''}<sheetData><row r="1">${cells}</row>`;
}

function packageParts(sheets: number): [string, string][] {
  const numbers = Array.from({ length: sheets }, (_, at) => at + 1);
  const kind = (name: string): string => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`;
  return [
    ['xl/styles.xml', styleSheet],
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${numbers
        .map((each) => `<sheet name="${each === 1 ? 'report' : `report ${each}`}" sheetId="${each}" r:id="rId${each}"/>`)
        .join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${packageRelations}">${numbers
        .map((each) => `<Relationship Id="rId${each}" Type="${relations}/worksheet" Target="worksheets/sheet${each}.xml"/>`)
        .join('')}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      '_rels/.rels',
      `${head}<Relationships xmlns="${packageRelations}"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kind('sheet.main')}"/><Override PartName="/xl/styles.xml" ContentType="${kind('styles')}"/>\
${numbers.map((each) => `<Override PartName="/xl/worksheets/sheet${each}.xml" ContentType="${kind('worksheet')}"/>`).join('')}</Types>`,
    ],
  ];
}
