import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { run } from './run.mjs';
import { say, withProgress } from './say.mjs';

const builds = [
  {
    name: 'threads',
    sources: ['engine/src', 'scanner/src', 'server/src/content/embeddings', 'scripts/build-threads.mjs'],
    output: 'scanner/dist',
    args: () => ['scripts/build-threads.mjs'],
  },
  {
    name: 'console',
    sources: ['console'],
    output: 'console/dist',
    args: (bin) => [path.join(bin, 'vite'), 'build', 'console', '--logLevel', 'warn'],
  },
  { name: 'manual', sources: ['manual', 'server/src/settings'], output: 'manual/dist', args: () => ['manual/build.mjs'] },
];

function fingerprint(sources) {
  const hash = createHash('sha256');
  const visit = (file) => {
    if (file.endsWith('.mjs')) return void hash.update(readFileSync(path.join(root, file)));
    for (const entry of readdirSync(path.join(root, file), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (['dist', 'node_modules'].includes(entry.name)) continue;
      const inside = path.join(file, entry.name);
      if (entry.isDirectory()) visit(inside);
      else hash.update(inside).update(readFileSync(path.join(root, inside)));
    }
  };
  for (const source of sources) if (existsSync(path.join(root, source))) visit(source);
  return hash.digest('hex');
}

/** Builds every target (or only the named ones) whose sources have changed since its last build. */
export async function buildStale(node, only = builds.map(({ name }) => name)) {
  for (const { name, sources, output, args } of builds) {
    if (!only.includes(name)) continue;
    const stamp = path.join(root, output, '.stamp');
    const wanted = fingerprint(sources);
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) continue;
    const bin = path.join(root, 'node_modules', '.bin');
    const built = await withProgress(`Building the ${name}`, () => run(node, args(bin), { cwd: root, quiet: true }));
    if (built.code !== 0) {
      say(built.output);
      process.stderr.write(`The ${name} could not be built. See the output above.\n`);
      process.exit(1);
    }
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
  }
}
