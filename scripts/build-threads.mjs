import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

// Node takes the types out of a source file with WebAssembly of its own, and V8 may end the process when several threads do so at once.
// So threads never read TypeScript: each part's *-thread.ts is bundled here, with whatever of ours it imports, into <part>/dist/threads.
const root = path.dirname(import.meta.dirname);

for (const part of ['engine', 'scanner']) {
  const sources = globSync(`${part}/src/**/*-thread.ts`, { cwd: root });
  const input = Object.fromEntries(sources.map((file) => [path.basename(file, '.ts'), path.join(root, file)]));
  const dir = path.join(root, part, 'dist', 'threads');
  rmSync(dir, { recursive: true, force: true });
  const bundle = await rolldown({ input, platform: 'node', external: (id) => !/^[./]/.test(id) });
  await bundle.write({ dir, format: 'esm', chunkFileNames: 'shared-[name].js' });
  await bundle.close();
}
