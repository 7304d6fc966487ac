import { randomBytes } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import tar from 'tar-stream';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { version } from '../../version.ts';

const consoleFolder = fileURLToPath(new URL('../../../../console/dist/', import.meta.url));
const manualFolder = fileURLToPath(new URL('../../../../manual/dist/', import.meta.url));

/** Scripts only from our own origin, inline styles only with the nonce of the page, no frames of other sites. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Serves the console at / and the manual at /docs/. */
export async function pageRoutes(app: App): Promise<void> {
  const config = { scope: 'public' } as const;
  sourceRoutes(app);
  const page = indexPage(`${consoleFolder}index.html`);
  const sendConsole = (
    _request: unknown,
    reply: { header(name: string, value: string): unknown; type(value: string): { send(body: string): unknown } },
  ): unknown => {
    const nonce = randomBytes(16).toString('base64');
    reply.header('content-security-policy', policy(nonce));
    return reply.type('text/html; charset=utf-8').send(page().replaceAll('__CSP_NONCE__', nonce));
  };
  app.get('/', { config }, sendConsole);
  app.get('/index.html', { config }, sendConsole);

  if (existsSync(consoleFolder)) {
    await app.register(fastifyStatic, {
      root: consoleFolder,
      index: false,
      wildcard: true,
      decorateReply: false,
      cacheControl: false,
      dotfiles: 'ignore',
      allowedPath: (path: string) => path !== '/index.html',
      setHeaders(reply: { header(name: string, value: string): unknown }, file: string) {
        // Names of built assets contain a hash; those of the service worker and manifest do not.
        reply.header('cache-control', file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
        reply.header('content-security-policy', policy(''));
      },
    });
  }
  if (existsSync(manualFolder)) {
    await app.register(fastifyStatic, {
      root: manualFolder,
      prefix: '/docs/',
      redirect: true,
      decorateReply: false,
      cacheControl: false,
      dotfiles: 'ignore',
      setHeaders(reply: { header(name: string, value: string): unknown }) {
        reply.header('cache-control', 'no-cache');
        reply.header(
          'content-security-policy',
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'",
        );
      },
    });
  }
}

/** The built page, read again after a new build. */
function indexPage(file: string): () => string {
  let seen = 0;
  let text = '';
  return () => {
    if (!existsSync(file)) throw problem('not_found', 'The console is not built. Run npm start, which builds it.');
    const { mtimeMs } = statSync(file);
    if (mtimeMs !== seen) {
      text = readFileSync(file, 'utf8');
      seen = mtimeMs;
    }
    return text;
  };
}

/**
 * The licence requires that people who use the service over a network can get its source. Unless SVC_SOURCE_URL is set, the service offers the
 * files it runs from, without data, environment files and installed packages.
 */
const sourcePath = '/source.tar.gz';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const sourceFolders = [
  'agent',
  'engine',
  'protocol',
  'readers',
  'scanner',
  'server',
  'console',
  'manual',
  'api-types',
  'tools',
  'scripts',
  'bench',
  'e2e',
  'deploy',
];
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

function sourceRoutes(app: App): void {
  app.get(sourcePath, { config: { scope: 'public', raw: true } }, (_request, reply) => {
    const pack = tar.pack();
    const zipped = createGzip();
    reply.header('content-disposition', `attachment; filename="catalog-${version}.tar.gz"`).type('application/gzip').send(zipped);
    void fill(pack).catch((error: Error) => pack.destroy(error));
    // Fails when the client disconnects or `fill` failed; the response is destroyed then.
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
