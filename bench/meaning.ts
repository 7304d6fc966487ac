import { existsSync } from 'node:fs';
import { measureBackfill } from './meaning/backfill.ts';
import { measureEmbedding } from './meaning/embedding.ts';
import { measureRetrieval } from './meaning/retrieval.ts';
import { measureVectors } from './meaning/vectors.ts';
import type { Bench, Row } from './row.ts';

/**
 * Vector search in the engine over generated vectors (a million at scale 1), and, with a model, the rate of embedding, the
 * response times of the app during a backfill, and the quality of retrieval. The model is a folder named by CATALOG_EMBEDDING_MODEL.
 */
const bench: Bench = async ({ scale }) => {
  const rows: Row[] = await measureVectors(Math.max(2000, Math.round(1_000_000 * scale)));
  const model = process.env['CATALOG_EMBEDDING_MODEL'];
  if (!model || !existsSync(model))
    return { rows, notes: ['Embedding and retrieval were not measured: set CATALOG_EMBEDDING_MODEL to a folder with a model.'] };
  rows.push(await measureEmbedding(model, Math.max(10, Math.round(200 * scale))));
  rows.push(await measureBackfill(model));
  const retrieval = await measureRetrieval(model, scale);
  return { rows: [...rows, ...retrieval.rows], notes: retrieval.notes };
};
export default bench;
