import { ensureInstalled, findNode, root, say } from './lib/install.mjs';
import { meilisearchEnv } from './lib/meilisearch.mjs';
import { missingForOpenSearch, openSearchEnv } from './lib/opensearch.mjs';
import { run } from './lib/run.mjs';

// Runs the tests of the search engines against real servers: OpenSearch from Maven Central, and Meilisearch if it is found.
// They are separate from npm test, which needs neither Java nor Maven.
await ensureInstalled();
const node = await findNode();
const missing = missingForOpenSearch();
for (const sentence of missing) say(sentence);
if (missing.length > 0) process.exit(2);
const meilisearch = meilisearchEnv();
if (!process.env.TEST_MEILISEARCH_URL && !meilisearch.MEILISEARCH_BIN)
  say('Meilisearch is not installed: its tests are skipped. Set MEILISEARCH_BIN or TEST_MEILISEARCH_URL.');
const words = process.argv.slice(2);
const { code } = await run(
  node,
  ['node_modules/.bin/vitest', 'run', ...(words.length > 0 ? words : ['search/engines/', 'projection/meilisearch', 'query/facts'])],
  { cwd: root, env: { ...meilisearch, ...openSearchEnv() } },
);
process.exit(code);
