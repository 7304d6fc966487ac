import { createReadStream, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import tar from 'tar-stream';
import type { App } from '../../platform/http/index.ts';
import { version } from '../../version.ts';

/**
 * The licence asks that whoever uses the service over a network can have its source. Unless SVC_SOURCE_URL names a better place, the
 * service hands out the very files it runs from: never its data, its environment file or installed packages.
 */
export const sourcePath = '/source.tar.gz';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const sourceFolders = ['engine', 'server', 'console', 'manual', 'api-types', 'tools', 'scripts', 'bench', 'e2e', 'deploy'];
const excluded = new Set(['node_modules', 'dist', '.git', 'artifacts', 'data', 'coverage']);
const plainFiles = /\.(md|json|mjs|ts|npmrc)$|^LICENSE$/;

function* sourceFiles(): Generator<string> {
  for (const entry of readdirSync(root, { withFileTypes: true })) if (entry.isFile() && plainFiles.test(entry.name)) yield entry.name;
  for (const part of sourceFolders) yield* filesBelow(part);
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    if (excluded.has(entry.name) || entry.name.startsWith('.env') || entry.name.endsWith('.log')) continue;
    const inside = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(inside);
    else if (entry.isFile()) yield inside;
  }
}

export function sourceRoutes(app: App): void {
  app.get(sourcePath, { config: { scope: 'public', raw: true } }, (_request, reply) => {
    const pack = tar.pack();
    const zipped = createGzip();
    reply.header('content-disposition', `attachment; filename="catalog-${version}.tar.gz"`).type('application/gzip').send(zipped);
    void fill(pack).catch((error: Error) => pack.destroy(error));
    void pipeline(pack, zipped).catch(() => {});
  });
}

async function fill(pack: tar.Pack): Promise<void> {
  for (const file of sourceFiles()) {
    const { size, mtime } = statSync(path.join(root, file));
    const entry = pack.entry({ name: `catalog-${version}/${file}`, size, mtime });
    await pipeline(createReadStream(path.join(root, file), { end: Math.max(0, size - 1) }), entry);
  }
  pack.finalize();
}
