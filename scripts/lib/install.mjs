import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';
import { say, withProgress } from './say.mjs';

export const root = fileURLToPath(new URL('../../', import.meta.url));
const stampFile = path.join(root, 'node_modules', '.catalog-install');
const minVersion = 24;

/** The lockfile lists every package, so other changes to a package.json need no install. */
function fingerprint() {
  return createHash('sha256')
    .update(`${process.platform} ${process.arch}`)
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

/** Installs the npm packages if they are missing or the lockfile has changed. Otherwise it does nothing and needs no network. */
export async function ensureInstalled() {
  const wanted = fingerprint();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted) return;
  const npm = (command) => run('npm', [command, '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, quiet: true });
  const done = await withProgress('Installing packages (first run only, about a minute)', async () => {
    const clean = await npm('ci');
    return clean.code === 0 ? clean : npm('install');
  });
  if (done.code !== 0) {
    process.stderr.write(
      `${done.output}\nThe packages could not be installed. Check the network connection to the npm registry, then run the command again.\n`,
    );
    process.exit(1);
  }
  writeFileSync(stampFile, fingerprint());
}

/** The Node executable for the program: the bundled one, or the current one if it is new enough. */
export async function findNode() {
  const bundled = path.join(root, 'node_modules', '.bin', 'node');
  if (existsSync(bundled) && (await run(bundled, ['--version'], { quiet: true })).code === 0) return bundled;
  if (Number(process.versions.node.split('.')[0]) >= minVersion) return process.execPath;
  process.stderr.write(
    `Catalog needs Node ${minVersion} or newer, and none is bundled for ${process.platform} ${process.arch}. Install Node ${minVersion}, then run the command again.\n`,
  );
  return process.exit(1);
}

export { say };
