import { problem } from '../../platform/problem.ts';
import fastifyStatic from '@fastify/static';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { App } from '../../platform/http/index.ts';

import { sourceRoutes } from './http-source.ts';

const consoleFolder = fileURLToPath(new URL('../../../../console/dist/', import.meta.url));
const manualFolder = fileURLToPath(new URL('../../../../manual/dist/', import.meta.url));

/** Scripts only from our own origin; styles by a nonce made for each page; previews of untrusted files in sandboxed frames. */
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

/** The console at /, the manual at /docs/: files from our own origin and nothing else. */
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
  app.get('/', { config }, sendConsole as never);
  app.get('/index.html', { config }, sendConsole as never);

  if (existsSync(consoleFolder)) {
    await app.register(fastifyStatic as never, {
      root: consoleFolder,
      index: false,
      wildcard: true,
      decorateReply: false,
      cacheControl: false,
      dotfiles: 'ignore',
      allowedPath: (path: string) => path !== '/index.html',
      setHeaders(reply: { header(name: string, value: string): unknown }, file: string) {
        // Built assets carry a hash in their name; the service worker and manifest do not.
        reply.header('cache-control', file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
        reply.header('content-security-policy', policy(''));
      },
    });
  }
  if (existsSync(manualFolder)) {
    await app.register(fastifyStatic as never, {
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

/** The built page, read again when a new build replaced it. */
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
