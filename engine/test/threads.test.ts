import { expect, test } from 'vitest';
import type { Document } from '../src/types.ts';
import { smallSchema, withIndex } from './temporary-index.ts';

const documents = (from: number, to: number, word: string): Document[] =>
  Array.from({ length: to - from }, (_, index) => ({ id: `d${from + index}`, name: `${word} ${from + index}`, kind: `k${index % 3}` }));

test('concurrent callers get the same results, and the new ones after a refresh', async () => {
  await withIndex(smallSchema, documents(0, 400, 'report'), async ({ writer, reader }) => {
    const ask = () => Promise.all(Array.from({ length: 30 }, () => reader.search({ text: 'report', facets: ['kind'], limit: 50 })));
    for (let round = 1; round <= 6; round++) {
      const results = await ask();
      for (const { hits, total, facets } of results) {
        expect(total).toBe(400 - (round - 1) * 20);
        expect({ hits, facets }).toEqual({ hits: results[0]!.hits, facets: results[0]!.facets });
      }
      await writer.upsert(documents((round - 1) * 20, round * 20, 'letter'));
      await writer.commit();
      await reader.refresh();
    }
    await writer.compact();
    await reader.refresh();
    for (const { total } of await ask()) expect(total).toBe(280);
  });
});

test('queries during commits and merges never see part of a commit', async () => {
  await withIndex(smallSchema, documents(0, 100, 'one'), async ({ writer, reader }) => {
    let writing = true;
    const write = async () => {
      for (let round = 0; round < 12; round++) {
        // Every commit replaces all hundred documents.
        await writer.upsert(documents(0, 100, ['one', 'two', 'three'][round % 3]!));
        await writer.commit();
      }
      writing = false;
    };
    const ask = async () => {
      let searches = 0;
      while (writing || searches < 5) {
        const { total, facets } = await reader.search({ facets: ['kind'] });
        expect(total).toBe(100);
        expect(facets['kind']!.reduce((sum, { count }) => sum + count, 0)).toBe(100);
        searches++;
      }
    };
    await Promise.all([write(), ask(), ask(), ask()]);
  });
});

test('a listing shows one snapshot to its end, whatever is committed and merged meanwhile', async () => {
  await withIndex(smallSchema, documents(0, 6000, 'one'), async ({ writer, reader }) => {
    await writer.upsert(documents(6000, 12_000, 'one'));
    await writer.commit();
    await reader.refresh();
    const listed: string[] = [];
    for await (const page of reader.list()) {
      if (listed.length === 0) {
        await writer.delete(documents(0, 11_000, 'one').map(({ id }) => id));
        await writer.compact();
        await reader.refresh();
        expect((await reader.search({})).total).toBe(1000);
      }
      listed.push(...page.map(({ id }) => id));
    }
    expect(listed).toEqual(
      documents(0, 12_000, 'one')
        .map(({ id }) => id)
        .sort(),
    );
  });
});

test('the event loop of the caller stays responsive while it writes and searches', async () => {
  await withIndex(smallSchema, [], async ({ writer, reader }) => {
    const batch = documents(0, 20_000, 'word '.repeat(40));
    let turns = 0;
    let running = true;
    const turn = () => {
      turns++;
      if (running) setImmediate(turn);
    };
    turn();
    await writer.upsert(batch);
    await writer.commit();
    await reader.refresh();
    await reader.search({ text: 'word', facets: ['kind'] });
    running = false;
    // The documents are sent in about a hundred chunks, with a turn of the event loop between them.
    expect(turns).toBeGreaterThan(100);
  });
});
