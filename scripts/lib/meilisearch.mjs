import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/**
 * The Meilisearch program for tests and benchmarks: MEILISEARCH_BIN, the folder CATALOG_TOOLS, the PATH, or a tools folder beside the
 * repository. Null when there is none.
 */
function findMeilisearch(env = process.env) {
  if (env.MEILISEARCH_BIN) return env.MEILISEARCH_BIN;
  const folders = [env.CATALOG_TOOLS, ...(env.PATH ?? '').split(path.delimiter), path.join(root, '..', 'shared', 'tools')];
  return (
    folders
      .filter(Boolean)
      .map((folder) => path.join(folder, 'meilisearch'))
      .find((file) => existsSync(file)) ?? null
  );
}

/** The variables that pass the program on to child processes; none when a server is given by its address. */
export function meilisearchEnv(env = process.env) {
  const program = env.TEST_MEILISEARCH_URL ? null : findMeilisearch(env);
  return program === null ? {} : { MEILISEARCH_BIN: program };
}
