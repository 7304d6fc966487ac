import { spawn } from 'node:child_process';
import { ensureInstalled, findNode, root, say } from './lib/install.mjs';

// Development mode: the service restarts when a server file changes, and the console is served separately with hot reload.
await ensureInstalled();
const node = await findNode();
const processes = [
  spawn(
    node,
    [
      '--watch-path=server/src',
      '--watch-path=engine/src',
      '--watch-path=scanner/src',
      '--watch-path=readers/src',
      '--watch-preserve-output',
      'scripts/dev-service.mjs',
      'all',
    ],
    {
      cwd: root,
      stdio: 'inherit',
    },
  ),
  spawn(node, ['node_modules/.bin/vite', 'console', '--port', '8485'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, CATALOG_API: 'http://127.0.0.1:8484' },
  }),
];
say('Console with hot reload: http://localhost:8485 (API: http://localhost:8484)');
const stop = () => {
  for (const child of processes) child.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of processes) child.once('exit', stop);
