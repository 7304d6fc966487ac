import path from 'node:path';
import { createLocalEmbedder } from '../../server/src/content/embeddings/local/index.ts';
import { openModel } from '../../server/src/content/embeddings/local/run-model.ts';
import type { Row } from '../row.ts';

/** Texts a second through the embedder with one thread, against the bare loop of the runtime on the same texts. */
export async function measureEmbedding(folder: string, count: number): Promise<Row> {
  const name = path.basename(folder);
  const texts = Array.from(
    { length: count },
    (_, at) => `Report ${at} about the harbour: boats, cranes and the weather of the ${at % 31}. of the month, as seen from the quay.`,
  );
  const embedder = createLocalEmbedder({ name, folder: async () => folder, threads: 1, lowPriority: false });
  const model = await openModel(folder, name);
  await embedder.model();
  // Alternating parts, so that other load on the machine counts for both.
  let [own, bare] = [0, 0];
  for (let from = 0; from < count; from += 5) {
    const part = texts.slice(from, from + 5);
    let started = performance.now();
    await embedder.embed(part, 'passage');
    own += performance.now() - started;
    started = performance.now();
    for (const text of part) await model.embed(text);
    bare += performance.now() - started;
  }
  const { runtime } = await embedder.model();
  await embedder.close();
  const rate = (ms: number): number => Math.round((count / ms) * 10_000) / 10;
  const ratio = Math.round((bare / own) * 100) / 100;
  return {
    name: 'texts embedded, one thread',
    value: rate(own),
    unit: 'texts/s',
    peer: `bare ${runtime} loop ${rate(bare)}`,
    ratio,
    limit: '≥ 0.8 of the bare loop',
    ok: ratio >= 0.8,
  };
}
