import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Enforces the import rules of ARCHITECTURE.md:
//  - engine, scanner, readers and protocol are packages: they import nothing of the server and nothing of each other;
//  - the agent is built on packages and imports nothing of the server;
//  - platform and settings import no capability; layers import downwards in the order below;
//  - a capability is entered through its index.ts; its http.ts is loaded by assembly only, its tasks.ts and checks.ts by assembly only;
//  - domain code (everything but http*.ts) loads neither a route nor platform/http;
//  - requests leave the server through platform/outbound only: nothing else uses an HTTP or mail client. Two exceptions are configured peers:
//    the search engine of SVC_SEARCH_URL and the database;
//  - no import cycles between files, not even by `import type`.
const packages = ['engine', 'scanner', 'readers', 'protocol'];
const layers = ['people', 'catalog', 'content', 'search', 'insight', 'operations', 'fleet'];
const roots = [...packages.map((name) => `${name}/src`), 'server/src', 'console/src', 'agent/src'];
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...roots], { encoding: 'utf8' })
  .split('\0')
  .filter((name) => /\.tsx?$/.test(name) && !/\.(as|d)\.ts$/.test(name) && existsSync(name));
const known = new Set(files);

function describe(file) {
  const parts = file.split('/');
  const base = {
    test: /\.(test|fixture)\.tsx?$/.test(file) || parts[1] === 'test' || /\/(test-|for-tests|fake-|testing|conformance)/.test(file),
    http: /^http(-|\.)/.test(path.basename(file)),
  };
  if (parts[0] !== 'server') return { ...base, kind: parts[0] };
  const [, , top, module] = parts;
  if (layers.includes(top)) return { ...base, kind: 'capability', layer: top, module: `${top}/${module}` };
  return { ...base, kind: parts.length > 3 ? top : 'main' };
}

const broken = [];
const imports = new Map();

/** Clients that open connections, and the folders that may use each. Types and servers are allowed everywhere. */
const clients = [
  { name: /^(undici|axios|got|node-fetch|node:https?|https?|node:http2)$/, folders: ['server/src/platform/outbound/'] },
  { name: /^node:tls$/, folders: ['server/src/platform/outbound/', 'server/src/platform/ldap/'] },
  { name: /^ldapts$/, folders: ['server/src/platform/ldap/', 'server/src/people/providers/ldap/'] },
  { name: /^nodemailer(\/.*)?$/, folders: ['server/src/platform/mail/'] },
  { name: /^@microsoft\/dev-tunnels-ssh$/, folders: ['server/src/platform/sftp/'] },
  { name: /^meilisearch$/, folders: ['server/src/search/engines/meilisearch/'] },
  { name: /^pg$/, folders: ['server/src/platform/'] },
];

/** An import of nothing but `createServer` and types opens no connection. */
const serverOnly = /^\{\s*(createServer|type \w+)(\s*,\s*(createServer|type \w+))*\s*,?\s*\}\s*from\s+$/;

function checkOutbound(file, text) {
  for (const match of text.matchAll(/(?:^|\n)\s*import\s([^;'"]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g)) {
    const target = match[2] ?? match[3];
    const rule = clients.find(({ name }) => name.test(target));
    if (!rule || match[1]?.startsWith('type ') || serverOnly.test(match[1] ?? '') || rule.folders.some((folder) => file.startsWith(folder)))
      continue;
    broken.push(`${file} imports ${target}: requests leave through ${rule.folders.join(' or ')} only`);
  }
  if (
    !['server/src/platform/outbound/', 'server/src/search/engines/opensearch/'].some((folder) => file.startsWith(folder)) &&
    /(?<![.\w])(globalThis\.)?fetch\(/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''))
  )
    broken.push(`${file} calls fetch: requests leave through server/src/platform/outbound/ only`);
}
const pattern = /(?:^|\n)\s*(?:import|export)\s(?:[^;'"]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g;
for (const file of files) {
  const from = describe(file);
  const text = readFileSync(file, 'utf8');
  if (file.startsWith('server/src/') && !from.test) checkOutbound(file, text);
  for (const match of text.matchAll(pattern)) {
    const target = match[1] ?? match[2];
    const report = (why) => broken.push(`${file} imports ${target}: ${why}`);
    if (packages.includes(from.kind) && target.startsWith('@catalog/')) report('packages import nothing of ours');
    if (!target.startsWith('.')) continue;
    const joined = path.posix.join(path.posix.dirname(file), target);
    const to = [joined, `${joined}.ts`, `${joined}.tsx`, `${joined}/index.ts`].find((each) => known.has(each)) ?? joined;
    if (known.has(to)) imports.set(file, (imports.get(file) ?? new Set()).add(to));
    if (from.test) continue;
    const there = describe(to);
    if (packages.includes(from.kind) && !to.startsWith(`${from.kind}/src/`)) report('packages import nothing of ours');
    if (['platform', 'settings'].includes(from.kind) && !['platform', 'settings'].includes(there.kind) && !to.endsWith('/version.ts'))
      report(`${from.kind} imports no capability`);
    if (from.kind === 'settings' && there.kind === 'platform') report('settings import nothing');
    if (from.kind === 'agent' && !to.startsWith('agent/src/')) report('the agent imports packages only');
    if (from.kind === 'capability') checkCapability(file, to, from, there, report);
  }
}

function checkCapability(file, to, from, there, report) {
  const domain = !from.http && path.basename(file) !== 'authenticate.ts' && path.basename(file) !== 'cookie.ts';
  if (domain && (to.startsWith('server/src/platform/http/') || there.http)) report('only http.ts loads HTTP');
  if (there.kind === 'assembly' || there.kind === 'command') report('assembly wires capabilities, not the other way round');
  if (there.kind !== 'capability' || there.module === from.module) return;
  if (layers.indexOf(there.layer) > layers.indexOf(from.layer)) report(`${from.layer} is below ${there.layer}`);
  const isTables = to === `server/src/${from.layer}/tables.ts`;
  if (!isTables && path.basename(to) !== 'index.ts') report('a capability is entered through its index.ts');
}

/** Tarjan's strongly connected components: every group of more than one file is a cycle. */
const order = new Map();
const low = new Map();
const stack = [];
function visit(file) {
  order.set(file, order.size);
  low.set(file, order.get(file));
  stack.push(file);
  for (const next of imports.get(file) ?? []) {
    if (!order.has(next)) visit(next);
    if (stack.includes(next)) low.set(file, Math.min(low.get(file), low.get(next)));
  }
  if (low.get(file) !== order.get(file)) return;
  const group = stack.splice(stack.indexOf(file));
  if (group.length > 1) broken.push(`import cycle: ${group.sort().join(', ')}`);
}
for (const file of files) if (!order.has(file)) visit(file);

for (const line of broken) process.stdout.write(`${line}\n`);
process.exit(broken.length > 0 ? 1 : 0);
