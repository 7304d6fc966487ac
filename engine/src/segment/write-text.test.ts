import { expect, test } from 'vitest';
import { withIndex } from '../../test/temporary-index.ts';
import type { Document, Schema } from '../types.ts';

const schema: Schema = { version: 1, text: [{ name: 'body' }], keyword: [], number: [], sortable: [] };
const word = (at: number) => `w${'abcdefghij'[at % 10]}${'abcdefghij'[Math.floor(at / 10) % 10]}${'abcdefghij'[Math.floor(at / 100)]}`;
const words = Array.from({ length: 300 }, (_, at) => word(at));
/**
 * These words are rarer than the other 300, so their codes take two bytes and a field of 64 to 127 of them needs a longer byte count than
 * its entry count suggests.
 */
const rare = (length: number) => Array.from({ length }, (_, at) => `${word(at)}x`).join(' ');

test('a field is read back completely for every size of its byte count', async () => {
  const lengths = [1, 63, 64, 90, 127, 128, 129, 200];
  const documents: Document[] = [
    ...Array.from({ length: 3 }, (_, at) => ({ id: `frequent-${at}`, body: words.join(' ') })),
    ...lengths.map((length) => ({ id: `d${length}`, body: `first${length}q ${rare(length)} last${length}q` })),
  ];
  await withIndex(schema, documents, async ({ writer, reader }) => {
    const checkAll = async () => {
      for (const length of lengths) {
        const [from, to] = [rare(1), `${word(length - 1)}x`];
        const found = async (text: string) => (await reader.search({ text })).hits.map(({ id }) => id);
        expect(await found(`"first ${length} q ${from}"`)).toEqual([`d${length}`]);
        expect(await found(`"${to} last ${length} q"`)).toEqual([`d${length}`]);
      }
    };
    await checkAll();
    await writer.delete(['frequent-0']);
    await writer.compact();
    await reader.refresh();
    await checkAll();
  });
});
