/** The file types of the service, kept on disk: they decide which reader takes a file whose extension no reader knows. */
import { existsSync, readFileSync } from 'node:fs';
import type { Client } from './client.ts';
import { filesIn, writePrivate } from './config.ts';

export interface Taxonomy {
  version: number;
  ext_to_group: Record<string, string>;
  group_to_category: Record<string, string>;
  category_extractor: Record<string, string | null>;
}

const none: Taxonomy = { version: 0, ext_to_group: {}, group_to_category: {}, category_extractor: {} };

export function readTaxonomy(dataDir: string): Taxonomy {
  const { taxonomy } = filesIn(dataDir);
  return existsSync(taxonomy) ? (JSON.parse(readFileSync(taxonomy, 'utf8')) as Taxonomy) : none;
}

/** Asks for the file types when the service has others than those on disk. */
export async function followTaxonomy(client: Client, dataDir: string, version: number | undefined): Promise<void> {
  if (version === undefined || version === readTaxonomy(dataDir).version) return;
  const { body } = await client.send('GET', '/taxonomy');
  writePrivate(filesIn(dataDir).taxonomy, JSON.stringify(body));
}

/** The extractor to which the category of an extension routes. */
export function extractorOf({ ext_to_group, group_to_category, category_extractor }: Taxonomy, extension: string): string | null {
  const own = (table: Record<string, string | null>, key: string | null): string | null =>
    key !== null && Object.hasOwn(table, key) ? (table[key] ?? null) : null;
  const group = own(ext_to_group, extension) ?? (extension.startsWith('tar.') ? own(ext_to_group, 'tar') : null);
  return own(category_extractor, own(group_to_category, group));
}
