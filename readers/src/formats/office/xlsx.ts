/** Spreadsheets (xlsx, xlsm, xltx, …): sheet names and cell text. */

import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXml, readXmlChunks } from '../../input/xml.ts';
import type { Zip, ZipEntry } from '../../input/zip.ts';
import { officeKeys, openOfficePackage, readOfficeProperties } from './package.ts';

const MAX_SHEETS = 1000;
const PART_MAX = 16 * 1024 * 1024;

export const spreadsheet: Extractor = {
  name: 'xlsx',
  version: 4,
  text: true,
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlam'],
  tools: [],
  keys: [...officeKeys, 'sheets', 'sheet_count', 'cells'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

async function read(zip: Zip, source: Source): Promise<Extracted> {
  const workbook = zip.find('xl/workbook.xml');
  if (workbook === undefined) throw new ExtractError('corrupt', 'The spreadsheet has no workbook part.');
  const { metadata, title } = readOfficeProperties(zip, []);
  const sheets = sheetParts(zip, workbook);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const strings = await sharedStrings(zip, source.limits.bodyTextMaxChars * 4);
  let cells = 0;
  for (const [at, sheet] of sheets.entries()) {
    // A form feed begins each sheet, as it begins each page of other documents.
    if (at > 0) body.add('\f');
    body.add(sheet.name);
    body.break();
    if (sheet.entry === undefined) continue;
    if (body.full()) {
      body.markTruncated();
      break;
    }
    cells += await readSheet(zip, sheet.entry, strings, body);
  }
  Object.assign(metadata, {
    sheets: sheets.map((sheet) => sheet.name),
    sheet_count: sheets.length,
    cells: body.full() ? undefined : cells,
  });
  return { metadata, ...(title !== undefined && { title }), ...body.result() };
}

function sheetParts(zip: Zip, workbook: ZipEntry): { name: string; entry?: ZipEntry }[] {
  const targets = new Map<string, string>();
  const links = zip.find('xl/_rels/workbook.xml.rels');
  if (links !== undefined) {
    readXml(zip.read(links, PART_MAX).toString('utf8'), {
      open(name, attributes) {
        if (name === 'Relationship') targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
      },
    });
  }
  const sheets: { name: string; entry?: ZipEntry }[] = [];
  readXml(zip.read(workbook, PART_MAX).toString('utf8'), {
    open(name, attributes) {
      if (name !== 'sheet' || sheets.length >= MAX_SHEETS) return;
      // The XML reader removes prefixes, so `r:id` is `id`.
      const target = targets.get(attributes['id'] ?? '') ?? `worksheets/sheet${sheets.length + 1}.xml`;
      const entry = zip.find(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
      sheets.push({ name: attributes['name'] ?? `Sheet${sheets.length + 1}`, ...(entry && { entry }) });
    },
  });
  return sheets;
}

/** The shared string table, up to the length that the stored text can use. */
async function sharedStrings(zip: Zip, maxChars: number): Promise<string[]> {
  const entry = zip.find('xl/sharedStrings.xml');
  if (entry === undefined) return [];
  const strings: string[] = [];
  let current = '';
  let inText = false;
  let phonetic = 0;
  let chars = 0;
  await readXmlChunks(
    zip.stream(entry),
    {
      open(name) {
        if (name === 'si') current = '';
        else if (name === 'rPh') phonetic += 1;
        else if (name === 't') inText = phonetic === 0;
      },
      close(name) {
        if (name === 't') inText = false;
        else if (name === 'rPh') phonetic -= 1;
        else if (name === 'si') strings.push(current);
      },
      text(text) {
        if (!inText) return;
        current += text;
        chars += text.length;
      },
    },
    { shouldStop: () => chars > maxChars },
  );
  return strings;
}

async function readSheet(zip: Zip, entry: ZipEntry, strings: readonly string[], body: BodyText): Promise<number> {
  let cells = 0;
  let kind = '';
  let value = '';
  let inValue = false;
  await readXmlChunks(
    zip.stream(entry),
    {
      open(name, attributes) {
        if (name === 'c') {
          kind = attributes['t'] ?? 'n';
          value = '';
        } else if (name === 'v' || name === 't') inValue = true;
      },
      close(name) {
        if (name === 'v' || name === 't') inValue = false;
        else if (name === 'c' && value !== '') {
          cells += 1;
          body.add(kind === 's' ? (strings[Number(value)] ?? '') : kind === 'b' ? (value === '1' ? 'TRUE' : 'FALSE') : value);
          body.break(' ');
        } else if (name === 'row') body.break();
      },
      text(text) {
        if (inValue) value += text;
      },
    },
    { shouldStop: () => body.full() },
  );
  if (body.full()) body.markTruncated();
  body.break();
  return cells;
}
