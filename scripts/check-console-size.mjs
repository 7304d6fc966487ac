import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './lib/install.mjs';
import { run } from './lib/run.mjs';

// Fails when the scripts that a first visit loads are larger than this, compressed: the entry and the search page with all their imports.
const maxBytes = 180_000;

const built = await run(process.execPath, ['scripts/build-stale.mjs', 'console'], { cwd: root, quiet: true });
const dist = path.join(root, 'console', 'dist');
if (built.code !== 0 || !existsSync(path.join(dist, 'index.html'))) {
  console.log(built.output.slice(-2000) || 'The console could not be built.');
  process.exit(1);
}
const sizes = new Map();
function follow(file) {
  if (sizes.has(file)) return;
  const text = readFileSync(file, 'utf8');
  sizes.set(file, gzipSync(text).length);
  // Static imports only; a page that is loaded later is an import() call.
  for (const [, name] of text.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{][^'"`;()]*?from\s*)?["']\.\/([^"']+\.js)["']/g))
    follow(path.join(path.dirname(file), name));
}
const [, entry] = /<script type="module"[^>]* src="\/([^"]+)"/.exec(readFileSync(path.join(dist, 'index.html'), 'utf8')) ?? [];
if (!entry) throw new Error('index.html has no module script');
follow(path.join(dist, entry));
const search = /["'](?:\.\/)?((?:assets\/)?search-page-[^"']+\.js)["']/.exec(readFileSync(path.join(dist, entry), 'utf8'))?.[1];
if (!search) throw new Error('The entry does not load the search page');
follow(path.join(dist, 'assets', path.basename(search)));
const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 5);
console.log(
  `A first visit loads ${Math.round(total / 1000)} kB of compressed script in ${sizes.size} files, of at most ${maxBytes / 1000} kB.`,
);
if (total > maxBytes) {
  for (const [file, bytes] of largest) console.log(`  ${Math.round(bytes / 1000)} kB ${path.basename(file)}`);
  process.exit(1);
}
