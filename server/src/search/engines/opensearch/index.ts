import type { Schema } from '@catalog/engine';
import type { Settings } from '../../../settings/index.ts';
import type { SearchReader, SearchWriter } from '../port.ts';
import { type Cluster, connectCluster } from './client.ts';
import { openSearchIndexReader } from './reader.ts';
import { openSearchIndexWriter } from './writer.ts';

type Needed = Pick<
  Settings,
  'searchUrl' | 'searchNodes' | 'searchMasterKey' | 'searchIndex' | 'searchShards' | 'searchCutoffMs' | 'searchCompactionWaitS'
>;

/** The timeout is longer than the search cutoff, so that a hanging node can be distinguished from a slow one. */
export function openOpenSearchReader(settings: Needed, schema: Schema): SearchReader {
  return openSearchIndexReader(connect(settings, settings.searchCutoffMs * 2 + 3000, 2), aliasOf(settings), schema);
}

export function openOpenSearchWriter(settings: Needed, schema: Schema): SearchWriter {
  return openSearchIndexWriter(connect(settings, 120_000, 5), {
    alias: aliasOf(settings),
    schema,
    shards: settings.searchShards,
    compactionWaitSeconds: settings.searchCompactionWaitS,
  });
}

/** Names of indexes must be in lower case. */
const aliasOf = ({ searchIndex }: Needed): string => searchIndex.toLowerCase().replace(/^[-_]+/, '');

function connect({ searchUrl, searchNodes, searchMasterKey }: Needed, timeoutMs: number, attempts: number): Cluster {
  return connectCluster({
    nodes: [String(searchUrl), ...searchNodes],
    ...(searchMasterKey ? { credentials: searchMasterKey } : {}),
    timeoutMs,
    attempts,
  });
}
