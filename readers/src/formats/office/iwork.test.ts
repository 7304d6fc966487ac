import { afterAll, describe, expect, it } from 'vitest';
import { makeZip } from '../../../test/samples/archives.ts';
import {
  doubleLe,
  makeCell,
  makeCommentObject,
  makeDecimal,
  makeIwa,
  makeSheetObject,
  makeTableParts,
} from '../../../test/samples/iwork.ts';
import { u32le } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { iwork, readIwork } from './iwork.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const read = (name: string, parts: { name: string; data: Buffer | string; method?: number }[]) =>
  readIwork(samples.source(name, makeZip(parts)));

describe('tables of documents since 2013', () => {
  const texts = ['Rent', 'Groceries'];
  const rows = [
    [makeCell(5, 3, 8, u32le(1)), makeCell(5, 2, 1, makeDecimal(3_875, -1)), makeCell(5, 6, 2, doubleLe(1))],
    [makeCell(5, 3, 8, u32le(2)), makeCell(5, 5, 4, doubleLe(276_048_000)), makeCell(5, 10, 1, makeDecimal(-775, 0))],
  ];
  it('yield sheet names, table names and cells row by row, with wide and narrow offsets', async () => {
    for (const wide of [false, true]) {
      const { bodyText, metadata } = await read('a.numbers', [
        { name: 'Index/Document.iwa', data: makeSheetObject('Checking') },
        ...makeTableParts('Transactions', texts, rows, wide),
      ]);
      expect(bodyText).toBe('Checking\nTransactions\nRent 387.5 TRUE\nGroceries 2009-10-01 -775');
      expect(metadata).toMatchObject({ sheets: ['Checking'], sheet_count: 1, table_count: 1 });
    }
  });

  it('yield the cells of versions before 2017', async () => {
    const old = [
      makeCell(4, 3, 0x14, u32le(1), u32le(1)),
      makeCell(4, 2, 0x24, u32le(1), doubleLe(7.25)),
      makeCell(4, 5, 0x44, u32le(1), doubleLe(276_048_000)),
    ];
    const { bodyText } = await read('b.numbers', [
      { name: 'Index/Document.iwa', data: makeIwa('x') },
      ...makeTableParts('Old', texts, [old]),
    ]);
    expect(bodyText).toContain('Old\nRent 7.25 2009-10-01');
  });

  it('are read although another part is damaged', async () => {
    const { bodyText, bodyTextTruncated } = await read('c.numbers', [
      { name: 'Index/Document.iwa', data: Buffer.from('000500000affffffff', 'hex') },
      ...makeTableParts('Transactions', texts, rows),
    ]);
    expect(bodyText).toContain('Rent 387.5');
    expect(bodyTextTruncated).toBe(true);
  });
});

describe('documents since 2013', () => {
  it('yield comments, and the placeholders of slide layouts once and last', async () => {
    const { bodyText, metadata } = await read('talk.key', [
      { name: 'Index/MasterSlide-1.iwa', data: makeIwa('Title Text') },
      { name: 'Index/MasterSlide-2.iwa', data: makeIwa('Title Text') },
      { name: 'Index/Slide-1.iwa', data: makeIwa('Harbour report') },
      { name: 'Index/Document.iwa', data: makeCommentObject('Check the figures') },
    ]);
    expect(bodyText).toBe('Check the figures\nHarbour report Harbour report\nTitle Text Title Text');
    expect(metadata).toMatchObject({ slides: 1 });
  });

  it('that were packed as a folder have their archives in a zip file of their own', async () => {
    const index = makeZip([{ name: 'Index/Document.iwa', data: makeIwa('Packed twice') }]);
    const { bodyText } = await read('folder.pages', [{ name: 'Report.pages/Index.zip', data: index }]);
    expect(bodyText).toContain('Packed twice');
  });
});

describe('documents before 2013', () => {
  it('yield cells of tables, sheet names and slides, without the tables of the template', async () => {
    const table = (name: string, cells: string) =>
      `<sf:tabular-model sf:name="${name}"><sf:datasource>${cells}</sf:datasource></sf:tabular-model>`;
    const cells =
      '<sf:t><sf:ct sfa:s="Rent &amp; food"/></sf:t><sf:n sf:v="-97.400000000000006"/><sf:d sf:cell-date="276048000"/><sf:f><sf:fo sf:fs="=A1"/><sf:r><sf:rn sf:v="3875"/></sf:r></sf:f>';
    const xml = `<ls:document xmlns:ls="a" xmlns:sf="b" xmlns:sfa="c"><ls:tabular-prototypes>${table('Sums', '<sf:ct sfa:s="Sample"/>')}</ls:tabular-prototypes><ls:workspace ls:workspace-name="Checking">${table('Transactions', cells)}${table('Unnamed Table', '')}<sf:p>After</sf:p></ls:workspace></ls:document>`;
    const { bodyText, metadata } = await read('old.numbers', [{ name: 'index.xml', data: xml }]);
    expect(bodyText).toBe('Checking\nTransactions\nRent & food -97.4 2009-10-01 3875\nAfter');
    expect(metadata).toMatchObject({ format: 'iwork-09', sheets: ['Checking'], table_count: 2 });
    const talk = '<key:presentation xmlns:key="a" xmlns:sf="b"><key:slide/><key:slide><sf:p>One</sf:p></key:slide></key:presentation>';
    expect((await read('old.key', [{ name: 'index.apxl', data: talk }])).metadata).toMatchObject({ slides: 2 });
  });
});

it('documents with a password count as encrypted, whatever the year', async () => {
  const since2013 = makeZip([
    { name: 'Index/Document.iwa', data: 'x' },
    { name: '.iwph', data: 'x' },
  ]);
  const before = makeZip([{ name: 'index.xml', data: 'secret' }]);
  // The compression method is stated in the member and in the directory.
  for (const signature of [0x04034b50, 0x02014b50]) {
    const at = before.indexOf(u32le(signature));
    before.writeUInt16LE(0x636c, at + (signature === 0x04034b50 ? 8 : 10));
  }
  for (const [name, bytes] of [
    ['new.pages', since2013],
    ['old.pages', before],
  ] as const)
    expect((await iwork.read(samples.source(name, bytes))).metadata).toMatchObject({ application: 'Pages', encrypted: true });
});
