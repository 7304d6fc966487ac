import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Cell, ReportColumn } from '../../reports/index.ts';
import { createTimes } from './cells.ts';
import { defuse } from './csv.ts';
import { encodeSource, formatNames } from './index.ts';
import { ndjson } from './ndjson.ts';
import { encodeXlsx } from './xlsx.ts';
import { escapeXml } from './xml.ts';

const columns: ReportColumn[] = [
  { key: 'id', label: 'ID', type: 'text', hidden: true },
  { key: 'name', label: 'Name', type: 'text' },
  { key: 'size', label: 'Size', type: 'bytes' },
  { key: 'at', label: 'At', type: 'time' },
  { key: 'ok', label: 'OK', type: 'boolean' },
];

async function workbook(rows: Cell[][], options: { sheetRows?: number } = {}): Promise<Record<string, string>> {
  async function* batches(): AsyncGenerator<Cell[][]> {
    for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of encodeXlsx({ columns, title: 'Test' }, batches(), options)) chunks.push(chunk);
  const parts = unzipSync(Buffer.concat(chunks));
  return Object.fromEntries(Object.entries(parts).map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')]));
}

test('a text that a spreadsheet would run as a formula is defused; numbers are not', () => {
  for (const text of ['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\rx', '＝1']) expect(defuse(text)).toBe(`'${text}`);
  for (const text of ['-5', '+5', '-1.5', 'a=b', '', '12']) expect(defuse(text)).toBe(text);
});

test('characters that XML 1.0 forbids become the replacement character', () => {
  expect(escapeXml('a\u0000b\u0008<&>"\ud800\uffff')).toBe('a\uFFFDb\uFFFD&lt;&amp;&gt;&quot;\uFFFD\uFFFD');
  expect(escapeXml('tab\tline\nreturn\r')).toBe('tab\tline\nreturn&#13;');
});

test('XLSX holds real numbers, dates and truth values, a frozen header and a filter', async () => {
  const parts = await workbook([['x', 'a & <b>', 12_345, Date.UTC(2024, 0, 2, 12), true]]);
  const sheet = parts['xl/worksheets/sheet1.xml']!;
  expect(sheet).toContain('<pane ySplit="1"');
  expect(sheet).toContain('state="frozen"');
  expect(sheet).toContain('<autoFilter ref="A1:D2"/>');
  expect(sheet).toContain('<c r="B2" s="2"><v>12345</v></c>');
  expect(sheet).toContain('<c r="C2" s="4"><v>45293.5</v></c>');
  expect(sheet).toContain('<c r="D2" t="b"><v>1</v></c>');
  expect(sheet).toContain('a &amp; &lt;b&gt;');
  expect(sheet).not.toContain('<f>');
});

test('sheets are split at the limit of rows, each with its header', async () => {
  const rows = Array.from({ length: 10 }, (_, n): Cell[] => ['x', `row ${n}`, n, 0, false]);
  const parts = await workbook(rows, { sheetRows: 5 });
  const sheets = Object.keys(parts).filter((name) => name.startsWith('xl/worksheets/'));
  expect(sheets).toHaveLength(3);
  const all = sheets.map((name) => parts[name]!);
  expect(all.map((sheet) => sheet.match(/<row /g)!.length)).toEqual([5, 5, 3]);
  expect(all.join('').match(/row \d/g)).toHaveLength(10);
  expect(parts['xl/workbook.xml']).toContain('<sheet name="report 3" sheetId="3" r:id="rId3"/>');
  expect(Object.keys(await workbook([])).filter((name) => name.startsWith('xl/worksheets/'))).toHaveLength(1);
});

test('a cell above 32,767 characters says how much was left out; control characters survive', async () => {
  const sheet = (
    await workbook([
      ['x', 'é'.repeat(40_000), 1, 0, false],
      ['x', 'a\u0001b_x0041_', 1, 0, false],
    ])
  )['xl/worksheets/sheet1.xml']!;
  const [long] = /é+ … \((\d+) more characters\)/.exec(sheet)!;
  expect(long.length).toBeLessThanOrEqual(32_767);
  expect(sheet).toContain('a_x0001_b_x005F_x0041_');
});

test('a date that a spreadsheet cannot hold is written as text', async () => {
  const sheet = (await workbook([['x', 'old', 1, Date.UTC(1850, 0, 1), false]]))['xl/worksheets/sheet1.xml']!;
  expect(sheet).toContain('1850-01-01T00:00:00.000Z');
});

test('times of a file are those of Date, in any order, before 1970 and outside the years that ISO 8601 can express', () => {
  const times = createTimes();
  const samples = [
    0, 1, -1, 86_399_999, 86_400_000, -86_400_001, 1_500_000_000_123, 1_500_000_000_123, 253_402_300_799_999, -62_135_596_800_000,
  ];
  for (const each of samples) expect(times(each)).toBe(new Date(each).toISOString());
  expect(times(9e15)).toBe('9999-12-31T23:59:59.999Z');
  expect(times(-9e15)).toBe('0001-01-01T00:00:00.000Z');
  expect(times(9e15 - 5)).toBe('9999-12-31T23:59:59.999Z');
});

test('every line of NDJSON is the object that JSON.stringify writes', () => {
  const cells = ['plain', 'quote " and \\', 'line\nbreak', '\u0001', 'ümlaut 漢字 😀', 'lone \uD800', '', null, -0.5, true, ['a', '"b"']];
  const columns = cells.map((_, at) => ({ key: `k ${at}"`, label: '', type: 'text' as const }));
  const { rows } = ndjson.open({ columns, name: 'n', title: 't' }, { generatedAt: new Date(0) });
  expect(rows([cells])).toBe(`${JSON.stringify(Object.fromEntries(columns.map(({ key }, at) => [key, cells[at]])))}\n`);
});

test.each(formatNames)('rows of a file in %s are closed when its reader stops before the end', async (format) => {
  let open = 0;
  async function* batches(): AsyncGenerator<Cell[][]> {
    open += 1;
    try {
      for (;;) yield Array.from({ length: 500 }, (): Cell[] => ['x', randomUUID(), 1, 0, true]);
    } finally {
      open -= 1;
    }
  }
  const source = { title: 'Test', name: 'test', columns, total: async () => null, batches };
  const file = encodeSource(source, format, { gzip: false, generatedAt: new Date(0) });
  await once(file, 'readable');
  file.read();
  expect(open).toBe(1);
  file.destroy();
  await expect.poll(() => open).toBe(0);
});
