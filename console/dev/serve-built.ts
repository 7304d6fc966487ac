import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import sharp from 'sharp';
import { thumbFor } from './mock/art.ts';
import { createMock } from './mock/service.ts';
import { handleMockRequest } from './mock-plugin.ts';

// Serves the built console with the mock API under the Content-Security-Policy of the real server: node dev/serve-built.ts 5199
const dist = join(import.meta.dirname, '..', 'dist');
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
const mock = createMock({ items: Number(process.env['CATALOG_MOCK_ITEMS'] ?? 24_000), mode: process.env['CATALOG_MOCK'] ?? 'disabled' });

// Compressed thumbnails like those of the real server; SVGs would be rasterized again in every frame.
const thumbs = await Promise.all(
  ['image', 'document', 'audio', 'three-d-cad'].flatMap((file_category) =>
    Array.from({ length: 24 }, (_, n) =>
      sharp(Buffer.from(thumbFor({ n, file_category } as Parameters<typeof thumbFor>[0]) ?? ''))
        .webp()
        .toBuffer(),
    ),
  ),
);
const hashOf = (text: string): number => [...text].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) % 1_000_003, 7);

createServer((request, response) => {
  const path = new URL(request.url ?? '/', 'http://mock').pathname;
  if (/^\/api\/v1\/items\/[^/]+\/thumb$/.test(path)) {
    response.setHeader('content-type', 'image/webp');
    response.setHeader('cache-control', 'private, max-age=3600');
    return void response.end(thumbs[hashOf(path) % thumbs.length]);
  }
  if (path.startsWith('/api/v1')) {
    request.url = request.url?.slice('/api/v1'.length) ?? '/';
    return void handleMockRequest(mock, request, response);
  }
  const file = join(dist, path === '/' ? 'index.html' : path);
  if (!file.startsWith(dist) || !existsSync(file)) {
    response.statusCode = 404;
    return void response.end();
  }
  const nonce = randomBytes(16).toString('base64');
  response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  );
  response.end(extname(file) === '.html' ? readFileSync(file, 'utf8').replaceAll('__CSP_NONCE__', nonce) : readFileSync(file));
}).listen(Number(process.argv[2] ?? 5199), '127.0.0.1');
