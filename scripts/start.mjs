import { spawn } from 'node:child_process';
import { ensureInstalled, findNode, root } from './lib/install.mjs';
import { buildStale } from './lib/stale-build.mjs';

// Plain JavaScript that any Node from 18 on can run: it brings the Node and everything else the program needs.
await ensureInstalled();
const node = await findNode();
await buildStale(node);
// Compiled code is kept between starts: processes and threads are up in a fraction of the time.
const env = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/catalog`, ...process.env };
const service = spawn(node, ['server/src/main.ts', 'all'], { cwd: root, stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
service.once('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 0)));
