import { spawn } from 'node:child_process';
import { ensureInstalled, findNode, root } from './lib/install.mjs';
import { buildStale } from './lib/stale-build.mjs';

// Plain JavaScript that any Node from version 18 can run: it installs the Node version and packages that the program needs.
await ensureInstalled();
const node = await findNode();
await buildStale(node);
// Caches compiled code between starts, so that processes and threads start faster.
const env = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/catalog`, ...process.env };
const service = spawn(node, ['server/src/main.ts', 'all'], { cwd: root, stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
service.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
