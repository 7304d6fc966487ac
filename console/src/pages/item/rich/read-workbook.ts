import { t } from '../../../language/text.ts';
import { MAX_ROWS, type Sheet } from './read-table.ts';

/*
 * The cells of an XLSX workbook, read in the browser: the extracted text of the catalog has the words of a sheet, but not where they stand.
 * Only values are read; formulas, macros and links are ignored. Parts that unpack to more than MAX_PART are left out.
 */
const MAX_PART = 24 * 1024 * 1024;
const MAX_SHEETS = 50;
const MAX_COLUMNS = 200;

interface Entry {
  method: number;
  size: number;
  offset: number;
}

function listEntries(view: DataView): Map<string, Entry> {
  let end = view.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0) throw new Error(t('This is not a workbook.'));
  const entries = new Map<string, Entry>();
  const decoder = new TextDecoder();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0 && view.getUint32(at, true) === 0x02014b50; left -= 1) {
    const name = decoder.decode(new Uint8Array(view.buffer, at + 46, view.getUint16(at + 28, true)));
    entries.set(name, {
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

async function readPart(view: DataView, entry: Entry | undefined): Promise<Document | null> {
  if (!entry) return null;
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  const packed = new Uint8Array(view.buffer as ArrayBuffer, start, entry.size);
  if (entry.method !== 0 && entry.method !== 8) return null;
  const source = new Blob([packed]).stream();
  const stream = entry.method === 8 ? source.pipeThrough(new DecompressionStream('deflate-raw')) : source;
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > MAX_PART) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
  return new DOMParser().parseFromString(text + decoder.decode(), 'application/xml');
}

/** Elements by name. Some programs write every name with the prefix `x:`. */
function all(part: Document | Element | null, name: string): Element[] {
  if (!part) return [];
  const found = part.getElementsByTagName(name);
  return [...(found.length > 0 ? found : part.getElementsByTagName(`x:${name}`))];
}

/** "C7" is column 2. */
export function columnOf(reference: string): number {
  let column = 0;
  for (const char of /^[A-Z]+/.exec(reference)?.[0] ?? '') column = column * 26 + char.charCodeAt(0) - 64;
  return column - 1;
}

/** A serial number as ISO date; day 60 is a leap day that never was. */
export function serialDate(serial: number): string {
  const days = serial < 60 ? serial + 1 : serial;
  const date = new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400_000));
  if (Number.isNaN(date.getTime())) return String(serial);
  const iso = date.toISOString();
  return serial % 1 === 0 ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}

/** The cell styles that show a number as a date. */
function dateStyles(styles: Document | null): Set<number> {
  const formats = new Set<number>();
  for (const format of all(styles, 'numFmt'))
    if (/[dmyhs]/i.test((format.getAttribute('formatCode') ?? '').replace(/"[^"]*"|\[[^\]]*\]/g, '')))
      formats.add(Number(format.getAttribute('numFmtId')));
  const isDate = (id: number) => (id >= 14 && id <= 22) || (id >= 45 && id <= 47) || formats.has(id);
  const found = new Set<number>();
  all(all(styles, 'cellXfs')[0] ?? null, 'xf').forEach((xf, at) => {
    if (isDate(Number(xf.getAttribute('numFmtId')))) found.add(at);
  });
  return found;
}

function readSheet(part: Document | null, strings: readonly string[], dates: ReadonlySet<number>): Pick<Sheet, 'rows' | 'truncated'> {
  const found = all(part, 'row');
  const rows: string[][] = [];
  for (const row of found.slice(0, MAX_ROWS)) {
    const cells: string[] = [];
    let next = 0;
    for (const cell of all(row, 'c')) {
      const reference = cell.getAttribute('r');
      const column = reference ? columnOf(reference) : next;
      next = column + 1;
      if (column < 0 || column >= MAX_COLUMNS) continue;
      while (cells.length < column) cells.push('');
      cells[column] = cellText(cell, strings, dates);
    }
    rows.push(cells);
  }
  return { rows, truncated: found.length > MAX_ROWS };
}

function cellText(cell: Element, strings: readonly string[], dates: ReadonlySet<number>): string {
  const type = cell.getAttribute('t') ?? 'n';
  if (type === 'inlineStr')
    return all(cell, 't')
      .map((one) => one.textContent ?? '')
      .join('');
  const value = all(cell, 'v')[0]?.textContent ?? '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  return type === 'n' && value !== '' && dates.has(Number(cell.getAttribute('s') ?? -1)) ? serialDate(Number(value)) : value;
}

export async function readWorkbook(bytes: ArrayBuffer): Promise<Sheet[]> {
  const view = new DataView(bytes);
  const entries = listEntries(view);
  const part = (name: string) => readPart(view, entries.get(name));
  const targets = new Map(
    all(await part('xl/_rels/workbook.xml.rels'), 'Relationship').map((one) => [
      one.getAttribute('Id') ?? '',
      one.getAttribute('Target') ?? '',
    ]),
  );
  const strings = all(await part('xl/sharedStrings.xml'), 'si').map((item) =>
    all(item, 't')
      .filter((text) => text.parentElement?.localName !== 'rPh')
      .map((text) => text.textContent ?? '')
      .join(''),
  );
  const dates = dateStyles(await part('xl/styles.xml'));
  const sheets: Sheet[] = [];
  for (const [at, sheet] of all(await part('xl/workbook.xml'), 'sheet')
    .slice(0, MAX_SHEETS)
    .entries()) {
    const id =
      sheet.getAttributeNS('http://schemas.openxmlformats.org/officeDocument/2006/relationships', 'id') ?? sheet.getAttribute('r:id') ?? '';
    const target = targets.get(id) ?? `worksheets/sheet${at + 1}.xml`;
    const name = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    sheets.push({ name: sheet.getAttribute('name') ?? `Sheet ${at + 1}`, ...readSheet(await part(name), strings, dates) });
  }
  return sheets;
}
