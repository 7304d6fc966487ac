import { ensureInstalled, findNode, root } from './lib/install.mjs';
import { run } from './lib/run.mjs';

// One capability's tests: npm run test:unit -- scan
await ensureInstalled();
const node = await findNode();
const { code } = await run(node, ['node_modules/.bin/vitest', 'run', ...process.argv.slice(2)], { cwd: root });
process.exit(code);
