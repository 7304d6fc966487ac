/**
 * A search page for the browser of this machine, while the policy allows it. It listens on the loopback address only, answers only requests
 * that name it as their host, so that no web site reaches it under another name, and asks for a token that only the user of the agent can read.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { filesIn, writePrivate } from './config.ts';
import { localAccessRefusal } from './local-access.ts';
import type { Policy } from './policy.ts';
import { type LocalHit, searchLocal } from './search.ts';
import type { Store } from './store.ts';

const shown = 200;

interface LocalPage {
  /** Opens or closes the page as the policy says. */
  follow(policy: Policy): Promise<void>;
  close(): Promise<void>;
}

export function createLocalPage({ store, dataDir }: { store: Store; dataDir: string }): LocalPage {
  const { page: addressFile } = filesIn(dataDir);
  let server: Server | undefined;
  // Left by an agent that was killed.
  rmSync(addressFile, { force: true });
  const close = async (): Promise<void> => {
    const open = server;
    server = undefined;
    rmSync(addressFile, { force: true });
    if (!open) return;
    open.closeAllConnections();
    await new Promise((resolve) => open.close(resolve));
  };
  return {
    close,
    async follow(policy) {
      if (!policy.web_ui_enabled || !policy.local_access_enabled) return close();
      if (server) return;
      const token = randomBytes(24).toString('base64url');
      const opened = createServer((request, answer) => respond({ store, dataDir, token }, request, answer));
      server = opened;
      await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
      writePrivate(addressFile, `http://127.0.0.1:${(opened.address() as AddressInfo).port}/?token=${token}\n`);
    },
  };
}

/** The address of the page of a running agent, with its token. */
export function readPageAddress(dataDir: string): string | null {
  const { page } = filesIn(dataDir);
  return existsSync(page) ? readFileSync(page, 'utf8').trim() : null;
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

interface Served {
  store: Store;
  dataDir: string;
  token: string;
}

const fixedHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
};

function respond(served: Served, request: IncomingMessage, response: ServerResponse): void {
  const { status, body, headers } = answerTo(served, request);
  response.writeHead(status, { ...fixedHeaders, ...headers }).end(body);
}

const message = (status: number, html: string): Answer => ({ status, body: page('', `<p>${html}</p>`) });

function answerTo({ store, dataDir, token }: Served, request: IncomingMessage): Answer {
  const port = request.socket.localPort;
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? ''))
    return message(421, 'Open this page by its own address.');
  if (request.method !== 'GET') return message(405, 'Only GET is answered.');
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const given = url.searchParams.get('token');
  if (given !== null && isSame(given, token))
    return { status: 303, body: '', headers: { location: '/', 'set-cookie': `token=${token}; HttpOnly; SameSite=Strict; Path=/` } };
  if (!isSame(/(?:^|;\s*)token=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] ?? '', token))
    return message(401, 'Run <code>catalog-agent page</code> and open the address that it prints.');
  const refusal = localAccessRefusal(store, dataDir);
  if (refusal !== null) return message(403, escapeHtml(refusal));
  if (url.pathname !== '/') return message(404, 'There is no such page.');
  const query = url.searchParams.get('q') ?? '';
  return { status: 200, body: page(query, query === '' ? '' : results(searchLocal(store, query, shown))) };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function results(hits: readonly LocalHit[]): string {
  if (hits.length === 0) return '<p>No files found.</p>';
  const rows = hits.map(
    ({ path, size, modified }) =>
      `<tr><td>${escapeHtml(path)}</td><td>${size.toLocaleString('en')}</td><td>${modified.slice(0, 16).replace('T', ' ')}</td></tr>`,
  );
  return `<table><thead><tr><th>File</th><th>Bytes</th><th>Modified (UTC)</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function page(query: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Files of this machine</title>
<style>body{font:16px system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}input{font:inherit;padding:.4rem;width:min(30rem,70%)}
td,th{text-align:left;padding:.2rem .8rem .2rem 0;overflow-wrap:anywhere}td:nth-child(2){text-align:right;white-space:nowrap}</style></head>
<body><h1>Files of this machine</h1><form><input name="q" aria-label="Search" value="${escapeHtml(query)}"> <button>Search</button></form>${content}</body></html>`;
}
