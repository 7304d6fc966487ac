// Runs benchmarks: npm run bench -- [name …] [--json] [--scale N]. Each bench/<name>.ts exports a default function that returns rows.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { meilisearchEnv } from './lib/meilisearch.mjs';
import { missingForOpenSearch, openSearchEnv } from './lib/opensearch.mjs';
import { buildStale } from './lib/stale-build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

// Benchmarks are TypeScript, which Node before version 24 cannot run; use the bundled Node instead.
if (Number(process.versions.node.split('.')[0]) < 24) {
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const { status } = spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

Object.assign(process.env, meilisearchEnv());

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, scale: { type: 'string', default: '1' } },
});
const scale = Number(values.scale);
if (!(scale > 0)) fail(`--scale must be a number above 0, not ${values.scale}.`);

const known = readdirSync(join(root, 'bench'))
  .filter((file) => file.endsWith('.ts') && file !== 'row.ts')
  .map((file) => file.slice(0, -3));
const names = positionals.length > 0 ? positionals : known;
for (const name of names)
  if (!existsSync(join(root, 'bench', `${name}.ts`))) fail(`Unknown benchmark ${name}. Available: ${known.join(', ')}.`);

await buildStale(process.execPath, names.includes('console') ? ['threads', 'console'] : ['threads']);
// Only this benchmark needs Java. Without it, the benchmark says what is missing.
if (names.includes('engines') && missingForOpenSearch().length === 0) Object.assign(process.env, openSearchEnv());

const results = [];
for (const name of names) {
  const { default: bench } = await import(pathToFileURL(join(root, 'bench', `${name}.ts`)).href);
  const { rows, notes = [] } = await bench({ scale, json: values.json });
  results.push({ name, scale, rows, notes });
  if (!values.json) print(name, rows, notes);
}
if (values.json) {
  const rows = results.flatMap(({ name, rows }) => rows.map((row) => ({ bench: name, ...row })));
  const notes = results.flatMap(({ notes }) => notes);
  console.log(JSON.stringify({ scale, rows, notes }, null, 2));
}
process.exitCode = results.some(({ rows }) => rows.some((row) => !row.ok)) ? 1 : 0;

function print(name, rows, notes) {
  const head = ['', name, 'value', 'compared with', 'ratio', 'target', 'details'];
  const cells = rows.map((row) => [
    row.ok ? 'ok' : 'MISSED',
    row.name,
    `${row.value} ${row.unit}`,
    row.peer,
    row.ratio === null ? '' : String(row.ratio),
    row.limit,
    row.detail ?? '',
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column].length)));
  for (const line of [head, widths.map((width) => '-'.repeat(width)), ...cells]) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
  }
  for (const note of notes) console.log(note);
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
