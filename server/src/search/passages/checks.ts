import { hasPassageLibrary, itemPassagesAfter, passageOutboxDepth } from '../../content/passages/index.ts';
import type { Check } from '../../platform/check.ts';
import type { Db } from '../../platform/database/index.ts';
import { openPassageReader, type SearchReader, SearchUnavailable } from '../engines/index.ts';
import { parsePassageId, passageFingerprint } from './documents.ts';

export const passageIndexChecks: Check[] = [
  {
    name: 'the passage index matches the database, by id and content',
    async run({ db, settings }) {
      // Waiting changes are the normal state of a busy service.
      if (!(await hasPassageLibrary(db)) || (await passageOutboxDepth(db)) > 0) return [];
      const reader = openPassageReader(settings);
      try {
        return await comparePassages(db, reader);
      } catch (error) {
        if (!(error instanceof SearchUnavailable)) throw error;
        const [any] = await itemPassagesAfter(db, null, 1);
        return any ? [`The passage index cannot be read: ${error.message}`] : [];
      } finally {
        await reader.close();
      }
    },
  },
];

const maxReported = 20;

/** One message for each item whose passages differ. Both sides are read in id order, so memory does not grow with the catalog. */
async function comparePassages(db: Db, reader: SearchReader): Promise<string[]> {
  const problems: string[] = [];
  const indexed = itemsOf(reader);
  let current = await indexed.next();
  for (let after: string | null = null; problems.length < maxReported; ) {
    const page = await itemPassagesAfter(db, after, 1000);
    for (const row of page) {
      for (; !current.done && current.value.itemId < row.item_id; current = await indexed.next())
        problems.push(`The passage index has passages of item ${current.value.itemId}, which has none.`);
      const found = !current.done && current.value.itemId === row.item_id ? current.value : null;
      if ((found?.count ?? 0) !== row.documents)
        problems.push(`The passage index has ${found?.count ?? 0} of ${row.documents} passages of item ${row.item_id}.`);
      else if (found?.fingerprints.some((each) => each !== passageFingerprint(row)))
        problems.push(`The passage index has an old version of item ${row.item_id}.`);
      if (found) current = await indexed.next();
    }
    const last = page.at(-1);
    if (!last) {
      for (; !current.done && problems.length < maxReported; current = await indexed.next())
        problems.push(`The passage index has passages of item ${current.value.itemId}, which has none.`);
      break;
    }
    after = last.item_id;
  }
  await indexed.return(undefined);
  return problems.slice(0, maxReported);
}

interface IndexedItem {
  itemId: string;
  count: number;
  fingerprints: string[];
}

async function* itemsOf(reader: SearchReader): AsyncGenerator<IndexedItem, undefined> {
  const waiting: IndexedItem[] = [];
  for await (const page of reader.list())
    for (const { id, fingerprint } of page) {
      const { itemId } = parsePassageId(id);
      const last = waiting[0];
      if (last && last.itemId !== itemId) yield* waiting.splice(0);
      const item = waiting[0] ?? { itemId, count: 0, fingerprints: [] };
      waiting[0] = item;
      item.count += 1;
      if (!item.fingerprints.includes(fingerprint)) item.fingerprints.push(fingerprint);
    }
  yield* waiting;
}
