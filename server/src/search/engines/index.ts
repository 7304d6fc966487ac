import path from 'node:path';
import type { Settings } from '../../settings/index.ts';
import { itemsSchema, passagesSchema } from '../documents/index.ts';
import { embeddedReader, embeddedWriter } from './embedded.ts';
import { openMeilisearchReader, openMeilisearchWriter } from './meilisearch/index.ts';
import { openOpenSearchReader, openOpenSearchWriter } from './opensearch/index.ts';
import type { SearchReader, SearchUnavailable, SearchWriter } from './port.ts';

export { type SearchReader, SearchUnavailable, type SearchWriter } from './port.ts';

/** The folder of the embedded item index. */
export function itemsDirectory(settings: Settings): string {
  return path.join(settings.configDir, 'index', 'items');
}

/** Uses the embedded engine unless SVC_SEARCH_URL is set. `onDamage` is called when its index turns out to be damaged. */
export function openSearchReader(settings: Settings, onDamage?: (error: SearchUnavailable) => void): SearchReader {
  if (!settings.searchUrl) return embeddedReader(itemsDirectory(settings), onDamage);
  return settings.searchEngine === 'opensearch'
    ? openOpenSearchReader(settings, itemsSchema)
    : openMeilisearchReader(settings, itemsSchema);
}

export function openSearchWriter(settings: Settings): SearchWriter {
  if (!settings.searchUrl) return embeddedWriter(itemsDirectory(settings), itemsSchema);
  return settings.searchEngine === 'opensearch'
    ? openOpenSearchWriter(settings, itemsSchema)
    : openMeilisearchWriter(settings, itemsSchema);
}

/** The name of the engine in use, as its makers write it. */
export function engineName({ searchUrl, searchEngine }: Pick<Settings, 'searchUrl' | 'searchEngine'>): string {
  return !searchUrl ? 'Search engine' : searchEngine === 'opensearch' ? 'OpenSearch' : 'Meilisearch';
}

const passagesDirectory = (settings: Settings): string => path.join(settings.configDir, 'index', 'passages');
const passageUid = (settings: Settings): Settings => ({ ...settings, searchIndex: `${settings.searchIndex}_passages` });

/** The second index. Its ids are those of items followed by the number of the passage. */
export function openPassageReader(settings: Settings, onDamage?: (error: SearchUnavailable) => void): SearchReader {
  return settings.searchUrl
    ? openMeilisearchReader(passageUid(settings), passagesSchema)
    : embeddedReader(passagesDirectory(settings), onDamage);
}

export function openPassageWriter(settings: Settings): SearchWriter {
  return settings.searchUrl
    ? openMeilisearchWriter(passageUid(settings), passagesSchema)
    : embeddedWriter(passagesDirectory(settings), passagesSchema);
}
