import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import readWorkbook from 'read-excel-file/node';
import { expect, onTestFinished, test } from 'vitest';
import type { Cell, ReportColumn } from '../../reports/index.ts';
import { encodeXlsx } from './xlsx.ts';

// Programs that other people wrote read what this service writes.
const columns: ReportColumn[] = [
  { key: 'name', label: 'Name', type: 'text' },
  { key: 'size', label: 'Size', type: 'bytes' },
  { key: 'share', label: 'Share', type: 'decimal' },
  { key: 'at', label: 'At', type: 'time' },
  { key: 'ok', label: 'OK', type: 'boolean' },
];
const long = 'é'.repeat(40_000);
const rows: Cell[][] = [
  ['plain', 12_345_678_901, -1.5, Date.UTC(2024, 0, 2, 12), true],
  ['=1+1', -7, 0.25, Date.UTC(1999, 11, 31), false],
  ['00123', 0, 0, null, null],
  ['Ünïcode 文件 🎉 "quoted" & <b>, line\nbreak', 1, 1, Date.UTC(2030, 5, 6), true],
  [long, 2, 2, Date.UTC(2030, 5, 6), true],
];

async function workbook(): Promise<Buffer> {
  async function* batches(): AsyncGenerator<Cell[][]> {
    yield rows;
  }
  const chunks: Buffer[] = [];
  // Three rows and the header fit a sheet.
  for await (const chunk of encodeXlsx({ columns, title: 'Test' }, batches(), { sheetRows: 4 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('an independent reader finds types, unicode, long cells and all sheets', async () => {
  const sheets = await readWorkbook(await workbook());
  expect(sheets.map(({ sheet }) => sheet)).toEqual(['report', 'report 2']);
  const header = ['Name', 'Size', 'Share', 'At', 'OK'];
  expect(sheets.map(({ data }) => data[0])).toEqual([header, header]);
  const [first, second] = sheets.map(({ data }) => data.slice(1));
  expect(first).toEqual([
    ['plain', 12_345_678_901, -1.5, new Date(Date.UTC(2024, 0, 2, 12)), true],
    ['=1+1', -7, 0.25, new Date(Date.UTC(1999, 11, 31)), false],
    ['00123', 0, 0, null, null],
  ]);
  expect(second?.[0]?.[0]).toBe(rows[3]?.[0]);
  expect(second?.[1]?.[0]).toMatch(/^é{32000,} … \(\d+ more characters\)$/);
});

const hasLibreOffice = spawnSync('soffice', ['--version']).status === 0;

// `npm test` says when LibreOffice is not installed.
test.runIf(hasLibreOffice)('LibreOffice finds numbers, dates and truth values, texts, and every sheet', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'xlsx-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'report.xlsx'), await workbook());
  // Its own format as one XML file, in which every cell has its type and value.
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await promisify(execFile)('soffice', [
    profile,
    '--headless',
    '--convert-to',
    'fods',
    '--outdir',
    folder,
    path.join(folder, 'report.xlsx'),
  ]);
  const document = readFileSync(path.join(folder, 'report.fods'), 'utf8');
  expect([...document.matchAll(/<table:table table:name="([^"]+)"/g)].map(([, name]) => name)).toEqual(['report', 'report 2']);
  const valuesOf = (type: string, attribute: string) =>
    [...document.matchAll(new RegExp(`<table:table-cell[^>]*office:value-type="${type}"[^>]*office:${attribute}="([^"]*)"`, 'g'))].map(
      ([, value]) => value,
    );
  // It keeps truth values as numbers and shows them as words.
  expect(valuesOf('float', 'value')).toEqual(['12345678901', '-1.5', '1', '-7', '0.25', '0', '0', '0', '1', '1', '1', '2', '2', '1']);
  for (const word of ['TRUE', 'FALSE']) expect(document.includes(`<text:p>${word}</text:p>`), word).toBe(true);
  expect(valuesOf('date', 'date-value').slice(0, 2)).toEqual(['2024-01-02T12:00:00', '1999-12-31']);
  expect(document.includes('table:formula="of:=1+1"')).toBe(false);
  for (const text of ['=1+1', '00123', 'Ünïcode 文件 🎉']) expect(document.includes(`<text:p>${text}`), text).toBe(true);
  expect(/é{32000,} … \(\d+ more characters\)/.test(document)).toBe(true);
});
