import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled, findNode, root, say } from './lib/install.mjs';
import { meilisearchEnv } from './lib/meilisearch.mjs';
import { run } from './lib/run.mjs';
import { buildStale } from './lib/stale-build.mjs';
import { ensureSystemPackages } from './lib/system-packages.mjs';

// Runs the static checks, then all tests, including browser tests.
const started = Date.now();
await ensureInstalled();
const node = await findNode();
await ensureSystemPackages();
await buildStale(node);

say('\nChecks');
const checks = await run(node, ['scripts/check.mjs'], { cwd: root });

say('\nTests');
const search = meilisearchEnv();
if (!process.env.TEST_MEILISEARCH_URL && !search.MEILISEARCH_BIN)
  say('meilisearch is not installed: the tests with a real Meilisearch server are skipped. Set MEILISEARCH_BIN or TEST_MEILISEARCH_URL.');
say('The tests with a real OpenSearch cluster are skipped. npm run test:engines runs them.');
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-report-'));
const report = path.join(folder, 'report.json');
const tests = await run(
  node,
  ['node_modules/.bin/vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)],
  { cwd: root, env: search },
);
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
  numTotalTestSuites = 0,
} = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
rmSync(folder, { recursive: true, force: true });

const ok = checks.code === 0 && tests.code === 0;
say(`\n${numTotalTestSuites} suites in ${Math.round((Date.now() - started) / 1000)} s; checks ${checks.code === 0 ? 'passed' : 'FAILED'}`);
say(`${numPassedTests} passed, ${numFailedTests + (tests.code !== 0 && numFailedTests === 0 ? 1 : 0)} failed, ${numPendingTests} skipped`);
process.exit(ok ? 0 : 1);
