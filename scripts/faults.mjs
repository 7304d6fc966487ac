// Fault runs: npm run faults -- <name> [--rounds N] [--minutes N] [--files N] [--seed N]. Each starts throw-away services on the loopback
// address, breaks something, prints a table, and exits with code 1 if anything was lost. They take minutes and are not part of npm test.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { buildStale } from './lib/stale-build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
if (Number(process.versions.node.split('.')[0]) < 24) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  process.exit(spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
}

const number = { type: 'string' };
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: number, minutes: number, files: number, seed: number },
});
const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
const known = readdirSync(join(root, 'scripts', 'faults'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => file.slice(0, -4));
const [name] = positionals;
if (
  name === undefined ||
  !existsSync(join(root, 'scripts', 'faults', `${name}.mjs`)) ||
  Object.values(options).some((value) => !(value > 0))
) {
  console.error(`Usage: npm run faults -- <${known.join('|')}> [--rounds N] [--minutes N] [--files N] [--seed N]`);
  process.exit(2);
}

await buildStale(process.execPath, ['threads']);
const started = Date.now();
const { default: run } = await import(pathToFileURL(join(root, 'scripts', 'faults', `${name}.mjs`)).href);
const { figures, losses } = await run(options);
const width = Math.max(...Object.keys(figures).map((label) => label.length));
for (const [label, value] of Object.entries(figures)) console.log(`${label.padEnd(width)}  ${value}`);
console.log(`${'duration'.padEnd(width)}  ${Math.round((Date.now() - started) / 1000)} s`);
for (const loss of losses) console.log(`LOST    ${loss}`);
console.log(losses.length === 0 ? `ok      ${name}` : `FAILED  ${name}: ${losses.length} losses`);
process.exit(losses.length === 0 ? 0 : 1);
