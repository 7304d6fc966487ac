import { ensureInstalled, findNode, root } from './lib/install.mjs';
import { meilisearchEnv } from './lib/meilisearch.mjs';
import { run } from './lib/run.mjs';

// Runs the tests whose path contains a word: npm run test:unit -- scan
await ensureInstalled();
const node = await findNode();
const { code } = await run(node, ['node_modules/.bin/vitest', 'run', ...process.argv.slice(2)], { cwd: root, env: meilisearchEnv() });
process.exit(code);
