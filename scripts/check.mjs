import { ensureInstalled, findNode, root, say } from './lib/install.mjs';
import { run } from './lib/run.mjs';

// Lint, types, import boundaries, dead code, file sizes: what can be known without running anything. All of it is part of `npm test`.
await ensureInstalled();
const node = await findNode();
const bin = (name, ...args) => [`node_modules/.bin/${name}`, ...args];
const checks = [
  ['lint and format', bin('biome', 'check', '--error-on-warnings', '--max-diagnostics=30', '.')],
  ['types', bin('tsc', '--noEmit', '-p', 'tsconfig.json')],
  ['types from the API document', ['scripts/check-api.mjs']],
  ['types of the console', bin('tsc', '--noEmit', '-p', 'console/tsconfig.json')],
  ['types of the browser tests', bin('tsc', '--noEmit', '-p', 'e2e/tsconfig.json')],
  ['import boundaries', ['scripts/check-imports.mjs']],
  ['dead code', bin('knip', '--no-progress')],
  ['file sizes', ['scripts/check-sizes.mjs']],
];
let failed = 0;
for (const [name, args] of checks) {
  const started = Date.now();
  const { code, output } = await run(node, args, { cwd: root, quiet: true });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  say(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
  if (code !== 0 || name === 'file sizes') say(output.trimEnd());
  if (code !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
