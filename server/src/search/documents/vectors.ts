import { sql } from 'kysely';
import { readCurrentModel } from '../../content/embeddings/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { isEnabled, type Settings } from '../../settings/index.ts';
import type { IndexedVectors } from './schema.ts';

/** The vectors that the index should contain; null while search by meaning is off or no model was loaded yet. */
export async function wantedVectors(db: Db, settings: Settings): Promise<IndexedVectors | null> {
  if (!isEnabled(settings, 'SVC_SEMANTIC_ENABLED')) return null;
  const model = await readCurrentModel(db);
  return model && { modelId: model.id, dimension: model.dimension, quantise: settings.semanticQuantize };
}

type VectorIndex = 'items' | 'passages';
const stateKeys = { items: 'index_vectors', passages: 'passage_index_vectors' } as const;

/** Recorded by the projector once the index has vectors of this model, so that no query compares vectors of two models. */
export async function recordIndexedModel(db: Db, vectors: IndexedVectors | null, index: VectorIndex = 'items'): Promise<void> {
  const value = JSON.stringify({ model_id: vectors?.modelId ?? null });
  await sql`insert into service_state (key, value) values (${stateKeys[index]}, ${value}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now() where service_state.value <> excluded.value`.execute(db);
}

/** The fingerprint of the model whose vectors are in the index, or null. */
export async function indexedModel(db: Db, index: VectorIndex = 'items'): Promise<string | null> {
  const { rows } = await sql<{ fingerprint: string }>`select m.fingerprint from service_state s
    join embedding_models m on m.id = (s.value ->> 'model_id')::int where s.key = ${stateKeys[index]}`.execute(db);
  return rows[0]?.fingerprint ?? null;
}
