import { expect, test } from 'vitest';
import { readNotebook } from './notebook-view.tsx';
import { readDelimited } from './read-table.ts';
import { columnOf, readWorkbook, serialDate } from './read-workbook.ts';
import { readTrack } from './track-view.tsx';

test('quoted cells keep delimiters, quotes and line breaks; the delimiter is found', () => {
  expect(readDelimited('a;b\n"x; y";"say ""hi""\nthere"\n').rows).toEqual([
    ['a', 'b'],
    ['x; y', 'say "hi"\nthere'],
  ]);
  expect(readDelimited('a\tb\n1\t2').rows).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  const long = readDelimited('x\n'.repeat(5000));
  expect([long.rows.length, long.truncated]).toEqual([1000, true]);
});

/** A zip whose entries are stored without compression. */
function zip(files: Record<string, string>): ArrayBuffer {
  const encoder = new TextEncoder();
  const parts: number[] = [];
  const directory: number[] = [];
  const u16 = (n: number) => [n & 255, n >> 8];
  const u32 = (n: number) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, n >>> 24];
  for (const [name, text] of Object.entries(files)) {
    const [key, content] = [[...encoder.encode(name)], [...encoder.encode(text)]];
    const sizes = [...u32(0), ...u32(content.length), ...u32(content.length), ...u16(key.length), ...u16(0)];
    directory.push(
      ...u32(0x02014b50),
      ...u16(20),
      ...u16(20),
      ...u16(0),
      ...u16(0),
      ...u32(0),
      ...sizes,
      ...u16(0),
      ...u16(0),
      ...u16(0),
      ...u32(0),
    );
    directory.push(...u32(parts.length), ...key);
    parts.push(...u32(0x04034b50), ...u16(20), ...u16(0), ...u16(0), ...u32(0), ...sizes, ...key, ...content);
  }
  const count = Object.keys(files).length;
  const end = [...u32(0x06054b50), ...u32(0), ...u16(count), ...u16(count), ...u32(directory.length), ...u32(parts.length), ...u16(0)];
  return new Uint8Array([...parts, ...directory, ...end]).buffer;
}

test('a workbook has its sheets with texts, numbers, dates and gaps in their columns', async () => {
  const sheets = await readWorkbook(
    zip({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Fees" sheetId="1"/></sheets></workbook>',
      'xl/sharedStrings.xml': '<sst><si><t>berth</t></si></sst>',
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1"><v>4.5</v></c></row><row><c r="B2" s="1"><v>45000</v></c><c r="C2" t="b"><v>1</v></c></row></sheetData></worksheet>',
    }),
  );
  expect(sheets).toEqual([
    {
      name: 'Fees',
      rows: [
        ['berth', '', '4.5'],
        ['', '2023-03-15', 'TRUE'],
      ],
      truncated: false,
    },
  ]);
  expect([columnOf('A1'), columnOf('AB12')]).toEqual([0, 27]);
  expect([serialDate(1), serialDate(61), serialDate(45000.5)]).toEqual(['1900-01-01', '1900-03-01', '2023-03-15 12:00']);
});

test('a notebook shows text and pictures of its outputs, and no HTML', () => {
  const cells = readNotebook(
    JSON.stringify({
      cells: [
        { cell_type: 'markdown', source: ['# A\n', 'b'] },
        {
          cell_type: 'code',
          execution_count: 2,
          source: 'print(1)',
          outputs: [{ text: ['1\n'] }, { data: { 'text/html': '<b>x</b>', 'text/plain': 'x' } }, { data: { 'image/png': 'aGk=\n' } }],
        },
      ],
    }),
  );
  expect(cells[0]).toMatchObject({ kind: 'markdown', source: '# A\nb' });
  expect(cells[1]?.outputs).toEqual([
    { text: '1\n', image: null },
    { text: 'x', image: null },
    { text: '', image: 'data:image/png;base64,aGk=' },
  ]);
});

test('a track has its length and its waypoints', () => {
  const track = readTrack(
    '<gpx><wpt lat="60.1" lon="5"><name>Start</name></wpt><trk><trkseg><trkpt lat="60" lon="5"/><trkpt lat="61" lon="5"/><trkpt lat="900" lon="5"/></trkseg></trk></gpx>',
  );
  expect(track.lines).toEqual([
    [
      [60, 5],
      [61, 5],
    ],
  ]);
  expect(track.places).toEqual([{ name: 'Start', at: [60.1, 5] }]);
  expect(Math.round(track.km)).toBe(111);
});
