import path from 'node:path';
import type { Schema } from '@catalog/engine';
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

interface IndexPlace {
  directory: string;
  schema: Schema;
}

const items = (settings: Settings): IndexPlace => ({ directory: itemsDirectory(settings), schema: itemsSchema });

/** Uses the embedded engine unless SVC_SEARCH_URL is set. `onDamage` is called when its index turns out to be damaged. */
function openReader(settings: Settings, { directory, schema }: IndexPlace, onDamage?: (error: SearchUnavailable) => void): SearchReader {
  if (!settings.searchUrl) return embeddedReader(directory, onDamage);
  return settings.searchEngine === 'opensearch' ? openOpenSearchReader(settings, schema) : openMeilisearchReader(settings, schema);
}

function openWriter(settings: Settings, { directory, schema }: IndexPlace): SearchWriter {
  if (!settings.searchUrl) return embeddedWriter(directory, schema);
  return settings.searchEngine === 'opensearch' ? openOpenSearchWriter(settings, schema) : openMeilisearchWriter(settings, schema);
}

export function openSearchReader(settings: Settings, onDamage?: (error: SearchUnavailable) => void): SearchReader {
  return openReader(settings, items(settings), onDamage);
}

export function openSearchWriter(settings: Settings): SearchWriter {
  return openWriter(settings, items(settings));
}

/** The name of the engine in use, as its makers write it. */
export function engineName({ searchUrl, searchEngine }: Pick<Settings, 'searchUrl' | 'searchEngine'>): string {
  return !searchUrl ? 'Search engine' : searchEngine === 'opensearch' ? 'OpenSearch' : 'Meilisearch';
}

const passages = ({ configDir }: Settings): IndexPlace => ({
  directory: path.join(configDir, 'index', 'passages'),
  schema: passagesSchema,
});
const passageUid = (settings: Settings): Settings => ({ ...settings, searchIndex: `${settings.searchIndex}_passages` });

/** The second index. Its ids are those of items followed by the number of the passage. */
export function openPassageReader(settings: Settings, onDamage?: (error: SearchUnavailable) => void): SearchReader {
  return openReader(passageUid(settings), passages(settings), onDamage);
}

export function openPassageWriter(settings: Settings): SearchWriter {
  return openWriter(passageUid(settings), passages(settings));
}
