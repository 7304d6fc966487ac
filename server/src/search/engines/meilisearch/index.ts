import type { Schema } from '@catalog/engine';
import { Meilisearch } from 'meilisearch';
import type { Settings } from '../../../settings/index.ts';
import type { SearchReader, SearchWriter } from '../port.ts';
import { meilisearchReader } from './reader.ts';
import { meilisearchWriter } from './writer.ts';

type Needed = Pick<
  Settings,
  | 'searchUrl'
  | 'searchMasterKey'
  | 'searchIndex'
  | 'searchCutoffMs'
  | 'searchWriteAckSeconds'
  | 'searchRebuildWaitS'
  | 'searchCompactionWaitS'
>;

/** The timeout is longer than the search cutoff, so that a hanging server can be distinguished from a slow one. */
export function openMeilisearchReader(settings: Needed, schema: Schema): SearchReader {
  return meilisearchReader(connect(settings, settings.searchCutoffMs * 2 + 3000), settings.searchIndex, schema, settings.searchCutoffMs);
}

export function openMeilisearchWriter(settings: Needed, schema: Schema): SearchWriter {
  return meilisearchWriter(connect(settings, 120_000), {
    uid: settings.searchIndex,
    schema,
    cutoffMs: settings.searchCutoffMs,
    ackSeconds: settings.searchWriteAckSeconds,
    rebuildWaitSeconds: settings.searchRebuildWaitS,
    compactionWaitSeconds: settings.searchCompactionWaitS,
  });
}

function connect({ searchUrl, searchMasterKey }: Needed, timeout: number): Meilisearch {
  return new Meilisearch({ host: String(searchUrl), timeout, ...(searchMasterKey ? { apiKey: searchMasterKey } : {}) });
}
