/** Writes step after step until it is killed, and prints which step it begins and finishes. Arguments: directory, last step. */
import { writeSync } from 'node:fs';
import { createIndex, openWriter, shadowPath, swapIndex } from '../../src/index.ts';
import type { IndexWriter } from '../../src/types.ts';
import { schema, stateAfter, stepAt } from './steps.ts';

const [directory = '', last = '0'] = process.argv.slice(2);
const say = (what: string, step: number) => writeSync(1, `${what} ${step}\n`);

async function swapIn(step: number): Promise<void> {
  const shadow = shadowPath(directory);
  await createIndex(shadow, schema);
  const writer = await openWriter(shadow, schema);
  await writer.upsert([...stateAfter(step).values()]);
  await writer.commit();
  await writer.close();
  await swapIndex(directory, shadow);
}

async function take(writer: IndexWriter, step: number): Promise<IndexWriter> {
  const { upserts, deletes, how } = stepAt(step);
  if (how === 'swap') {
    await writer.close();
    await swapIn(step);
    return openWriter(directory, schema);
  }
  await writer.upsert(upserts);
  await writer.delete(deletes);
  if (how === 'compact') await writer.compact();
  else await writer.commit();
  return writer;
}

let writer = await openWriter(directory, schema);
say('ready', Number(last));
for (let step = Number(last) + 1; ; step++) {
  say('begin', step);
  writer = await take(writer, step);
  say('done', step);
}
