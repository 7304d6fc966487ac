import path from 'node:path';
import type { Settings } from '../../settings/index.ts';
import { itemsSchema } from '../documents/index.ts';
import { embeddedReader, embeddedWriter } from './embedded.ts';
import { openMeilisearchReader, openMeilisearchWriter } from './meilisearch/index.ts';
import type { SearchReader, SearchUnavailable, SearchWriter } from './port.ts';

export { type SearchReader, SearchUnavailable, type SearchWriter } from './port.ts';

/** The folder of the embedded item index. */
export function itemsDirectory(settings: Settings): string {
  return path.join(settings.configDir, 'index', 'items');
}

/** Uses the embedded engine unless SVC_SEARCH_URL is set. `onDamage` is called when its index turns out to be damaged. */
export function openSearchReader(settings: Settings, onDamage?: (error: SearchUnavailable) => void): SearchReader {
  return settings.searchUrl ? openMeilisearchReader(settings, itemsSchema) : embeddedReader(itemsDirectory(settings), onDamage);
}

export function openSearchWriter(settings: Settings): SearchWriter {
  return settings.searchUrl ? openMeilisearchWriter(settings, itemsSchema) : embeddedWriter(itemsDirectory(settings), itemsSchema);
}
