import { afterAll, expect, it } from 'vitest';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { table } from './csv.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it.each(['sep=;\r\n', 'SEP=;\n', ''])('the line in which Excel states the delimiter (%j) is no row', async (line) => {
  const text = `${line}name;price, in EUR;note\r\nboat;1,5;a\r\ncar;2,5;b\r\n`;
  const { metadata, bodyText } = await table.read(samples.source('a.csv', text));
  expect(metadata).toMatchObject({ columns: ['name', 'price, in EUR', 'note'], column_count: 3, rows: 2, delimiter: ';' });
  expect(bodyText).not.toContain('sep');
});
