import { ensureInstalled, findNode, root, say } from './lib/install.mjs';
import { run } from './lib/run.mjs';

// Everything that can be checked without running the program. Part of `npm test`.
await ensureInstalled();
const node = await findNode();
const bin = (name, ...args) => [`node_modules/.bin/${name}`, ...args];
/** Promises that nobody awaits. Needs types, which Biome's own rule does not follow across imports. */
const floatingPromises = (project, ...folders) =>
  bin(
    'oxlint',
    '--type-aware',
    '-A',
    'all',
    '-D',
    'typescript/no-floating-promises',
    '--ignore-pattern',
    '**/*.as.ts',
    '--tsconfig',
    project,
    ...folders,
  );
const checks = [
  ['types', bin('tsc', '--noEmit', '-p', 'tsconfig.json')],
  ['types from the API document', ['scripts/check-api.mjs']],
  ['lint and format', bin('biome', 'check', '--error-on-warnings', '--max-diagnostics=30', '.')],
  ['floating promises', floatingPromises('tsconfig.json', 'engine', 'scanner', 'readers', 'protocol', 'agent', 'server', 'bench')],
  ['unused files, exports and dependencies', bin('knip', '--no-progress')],
  ['types of the console', bin('tsc', '--noEmit', '-p', 'console/tsconfig.json')],
  ['floating promises of the console', floatingPromises('console/tsconfig.json', 'console/src')],
  ['types of the browser tests', bin('tsc', '--noEmit', '-p', 'e2e/tsconfig.json')],
  ['import rules and cycles', ['scripts/check-imports.mjs']],
  ['paths in ARCHITECTURE.md', ['scripts/check-architecture.mjs']],
  ['the page of file formats', ['server/src/content/pipeline/print-formats.ts', '--check']],
  ['file sizes', ['scripts/check-sizes.mjs']],
  ['texts of the console in every language', ['scripts/check-language.mjs']],
  ['size of the console', ['scripts/check-console-size.mjs']],
];
let failed = 0;
const started = Date.now();
async function runChecks() {
  for (let check = checks.shift(); check; check = checks.shift()) {
    const [name, args] = check;
    const begun = Date.now();
    const { code, output } = await run(node, args, { cwd: root, quiet: true });
    say(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    if (code !== 0 || /size/.test(name)) say(output.trimEnd());
    if (code !== 0) failed += 1;
  }
}
// Two at a time: a test machine may have only two cores.
await Promise.all([runChecks(), runChecks()]);
say(`${failed === 0 ? 'All checks passed' : `${failed} checks failed`} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
process.exit(failed === 0 ? 0 : 1);
