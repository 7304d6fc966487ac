import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

// Bundles every *-thread.ts with its local imports into <package>/dist/threads, because threads must not load TypeScript: Node strips types
// with WebAssembly, and V8 may crash when several threads do that at the same time.
const root = path.dirname(import.meta.dirname);

for (const part of ['engine', 'scanner', 'server']) {
  const sources = globSync(`${part}/src/**/*-thread.ts`, { cwd: root });
  const input = Object.fromEntries(sources.map((file) => [path.basename(file, '.ts'), path.join(root, file)]));
  const dir = path.join(root, part, 'dist', 'threads');
  rmSync(dir, { recursive: true, force: true });
  const bundle = await rolldown({ input, platform: 'node', external: (id) => !/^[./]/.test(id) });
  await bundle.write({ dir, format: 'esm', chunkFileNames: 'shared-[name].js' });
  await bundle.close();
}
