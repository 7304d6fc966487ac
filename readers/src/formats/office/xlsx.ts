/** Spreadsheets (xlsx, xlsm, xltx, …): sheet names, cells as they are shown, comments and text boxes. */

import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXml } from '../../input/xml.ts';
import type { Zip, ZipEntry } from '../../input/zip.ts';
import { builtInFormat, numberTexts } from './number-format.ts';
import { keepReadable, officeKeys, openOfficePackage, readOfficePart, readOfficeProperties, unlessDamaged } from './package.ts';

const MAX_SHEETS = 1000;
const PART_MAX = 16 * 1024 * 1024;

export const spreadsheet: Extractor = {
  name: 'xlsx',
  version: 5,
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
  const { sheets, from1904 } = sheetParts(zip, workbook);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const strings = await sharedStrings(zip, source.limits.bodyTextMaxChars * 4);
  const shown: NumberText = cellNumbers(cellFormats(zip), from1904);
  let damage: ExtractError | null = null;
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
    const read = await readSheet(zip, sheet.entry, { strings, shown }, body);
    cells += read.cells;
    damage ??= read.damage;
  }
  await readRemarks(zip, body);
  keepReadable(damage, body, metadata);
  Object.assign(metadata, {
    sheets: sheets.map((sheet) => sheet.name),
    sheet_count: sheets.length,
    cells: body.full() ? undefined : cells,
  });
  return { metadata, ...(title !== undefined && { title }), ...body.result() };
}

function sheetParts(zip: Zip, workbook: ZipEntry): { sheets: { name: string; entry?: ZipEntry }[]; from1904: boolean } {
  const targets = new Map<string, string>();
  let from1904 = false;
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
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet' || sheets.length >= MAX_SHEETS) return;
      // The XML reader removes prefixes, so `r:id` is `id`.
      const target = targets.get(attributes['id'] ?? '') ?? `worksheets/sheet${sheets.length + 1}.xml`;
      const entry = zip.find(target.startsWith('/') ? target.slice(1) : `xl/${target}`);
      sheets.push({ name: attributes['name'] ?? `Sheet${sheets.length + 1}`, ...(entry && { entry }) });
    },
  });
  return { sheets, from1904 };
}

/** The number format of each cell style; undefined where numbers are shown plainly. */
function cellFormats(zip: Zip): (string | undefined)[] {
  const entry = zip.find('xl/styles.xml');
  const own = new Map<number, string>();
  const formats: (string | undefined)[] = [];
  if (entry === undefined) return formats;
  let inCellStyles = false;
  unlessDamaged(() =>
    readXml(zip.read(entry, PART_MAX).toString('utf8'), {
      open(name, attributes) {
        if (name === 'cellXfs') inCellStyles = true;
        else if (name === 'numFmt') own.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
        else if (name === 'xf' && inCellStyles) {
          const id = Number(attributes['numFmtId'] ?? 0);
          const format = own.get(id) ?? builtInFormat(id);
          formats.push(format === undefined || /^general$/i.test(format) ? undefined : format);
        }
      },
      close(name) {
        if (name === 'cellXfs') inCellStyles = false;
      },
    }),
  );
  return formats;
}

type NumberText = (value: string, style: string | undefined) => string;

/** Short numbers without a format, which are most, are taken as they are stored. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,8})?$/;

function cellNumbers(formats: readonly (string | undefined)[], from1904: boolean): NumberText {
  return (value, style) => {
    const format = style === undefined ? undefined : formats[Number(style)];
    if (format === undefined && plainNumber.test(value)) return value;
    const number = Number(value);
    return Number.isNaN(number) ? value : numberTexts(number, format, from1904);
  };
}

/** Comments, text boxes and titles of charts, which belong to sheets but are parts of their own. */
const remarkParts = /^xl\/(?:.*\/)?(?:comments?|threadedComment|drawing|chart)\d*\.xml$/i;

async function readRemarks(zip: Zip, body: BodyText): Promise<void> {
  for (const part of zip.entries) {
    if (!remarkParts.test(part.name)) continue;
    if (body.full()) return;
    let inText = false;
    await readOfficePart(zip, part, {
      open(name) {
        inText = name === 't' || name === 'text';
      },
      close(name) {
        inText = false;
        if (name === 'p' || name === 'text' || name === 'comment') body.break();
      },
      text(text) {
        if (inText) body.add(text);
      },
    });
    body.break();
  }
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
  await readOfficePart(
    zip,
    entry,
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

async function readSheet(
  zip: Zip,
  entry: ZipEntry,
  { strings, shown }: { strings: readonly string[]; shown: NumberText },
  body: BodyText,
): Promise<{ cells: number; damage: ExtractError | null }> {
  let cells = 0;
  let kind = '';
  let style: string | undefined;
  let value = '';
  let inValue = false;
  const damage = await readOfficePart(
    zip,
    entry,
    {
      open(name, attributes) {
        if (name === 'c') {
          kind = attributes['t'] ?? 'n';
          style = attributes['s'];
          value = '';
        } else if (name === 'v' || name === 't') inValue = true;
      },
      close(name) {
        if (name === 'v' || name === 't') inValue = false;
        else if (name === 'c' && value !== '') {
          cells += 1;
          if (kind === 's') body.add(strings[Number(value)] ?? '');
          else if (kind === 'b') body.add(value === '1' ? 'TRUE' : 'FALSE');
          else body.add(kind === 'n' ? shown(value, style) : value);
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
  return { cells, damage };
}
