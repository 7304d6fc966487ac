/**
 * Where a single executable begins. Its readers run in processes of the same executable, which then runs one of their modules instead of
 * the agent (readers/src/sandbox/node-command.ts).
 */
import { createRequire } from 'node:module';

if (process.argv[2] === 'run-module' && process.argv[3] !== undefined) {
  // The module finds its arguments where a run of Node would put them.
  process.argv.splice(1, 2);
  const module = process.argv[1] as string;
  createRequire(module)(module);
} else await import('./main.ts');
