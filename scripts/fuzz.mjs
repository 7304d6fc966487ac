// Fuzzes every operation of the API: npm run fuzz -- [--examples N] [--seed N] [--only /path] [--phases coverage,fuzzing]. Starts a throw-away service with sign-in on,
// installs schemathesis from PyPI in a temporary folder (needs python3 with venv), and fails on any 5xx or response that breaks its schema.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startFuzzProxy } from './lib/fuzz-proxy.mjs';
import { ensureInstalled, findNode, root, say } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { buildStale } from './lib/stale-build.mjs';

const schemathesis = 'schemathesis==4.32.5';
const account = { username: 'fuzzer', password: 'a password to fuzz with' };
const { values } = parseArgs({
  options: {
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    phases: { type: 'string', default: 'coverage,fuzzing' },
  },
});

await ensureInstalled();
const node = await findNode();
await buildStale(node, ['threads']);
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-fuzz-'));
let service;
let code = 1;
// An interrupted run must not leave the service behind.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void cleanUp().then(() => process.exit(1)));
try {
  code = await fuzz();
} finally {
  await cleanUp();
}
process.exit(code);

async function cleanUp() {
  if (service && service.exitCode === null) {
    service.kill('SIGTERM');
    await Promise.race([new Promise((resolve) => service.once('exit', resolve)), sleep(60_000)]);
  }
  rmSync(folder, { recursive: true, force: true });
}

async function fuzz() {
  const python = path.join(folder, 'python');
  say(`Installing ${schemathesis} from PyPI…`);
  for (const args of [
    ['python3', '-m', 'venv', python],
    [path.join(python, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', schemathesis],
  ])
    if (spawnSync(args[0], args.slice(1), { stdio: 'inherit' }).status !== 0) throw new Error(`${args.join(' ')} failed.`);
  const target = await startService();
  const call = createCaller(target);
  const credentials = await createCredentials(call);
  const document = (await call('GET', '/api/openapi.json')).json;
  const pools = await addSampleData(call, credentials.admin);
  const proxy = await startFuzzProxy({
    target,
    document,
    credentials,
    pools,
    // Reported at once, because a long run may be interrupted.
    onServerError: (error) => say(JSON.stringify(error)),
  });
  say(`Fuzzing ${proxy.cases.size} operations…`);
  const args = [
    'run',
    `${proxy.url}/api/openapi.json`,
    ...['--checks', 'not_a_server_error,response_schema_conformance,content_type_conformance,status_code_conformance'],
    ...['--phases', values.phases, '--mode', 'all', '--max-examples', values.examples, '--seed', values.seed],
    ...['--workers', '2', '--request-timeout', '60', '--continue-on-failure', '--no-color'],
    // Counts files for up to five seconds per request; a few are enough.
    ...(values.only
      ? ['--include-path', values.only]
      : ['--exclude-path', '/api/v1/fs/count', '--exclude-path', '/api/v1/scans/{scan_id}/events']),
  ];
  const { code: found } = await run(path.join(python, 'bin', 'schemathesis'), args, { cwd: folder });
  await proxy.close();
  const counts = [...proxy.cases.values()];
  const reached = counts.filter((count) => count > 0).length;
  say(
    `${reached} of ${counts.length} operations, ${counts.reduce((a, b) => a + b, 0)} cases, ${proxy.serverErrors.length} answers of 5xx.`,
  );
  return found === 0 && proxy.serverErrors.length === 0 ? 0 : 1;
}

async function startService() {
  const port = await freePort();
  const media = path.join(folder, 'media');
  mkdirSync(media);
  service = spawn(node, ['server/src/main.ts', 'all'], {
    cwd: root,
    // Wrong passwords are part of the input, so the limiter would end the run.
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SVC_CONFIG_DIR: path.join(folder, 'config'),
      SVC_PORT: String(port),
      MEDIA_PATH: media,
      SVC_AUTH_RATELIMIT_ENABLED: 'false',
      SVC_LOG_LEVEL: 'ERROR',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const target = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < 180; waited += 1) {
    if (service.exitCode !== null) throw new Error('The service did not start.');
    const healthy = await fetch(`${target}/api/v1/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return target;
    await sleep(1000);
  }
  throw new Error('The service did not become healthy within three minutes.');
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function createCaller(target) {
  return async (method, url, { body, headers = {} } = {}) => {
    const response = await fetch(`${target}${url}`, {
      method,
      headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
    return { json: text ? JSON.parse(text) : null, cookie: response.headers.getSetCookie().map((each) => each.split(';')[0]) };
  };
}

/**
 * A session for operations that need a signed-in person, and a key of a service account for the others. The ids of both are in no pool, so
 * no request names them; a session that ended is opened again.
 */
async function createCredentials(call) {
  const signIn = async (url) => ({ cookie: (await call('POST', url, { body: account })).cookie.join('; ') });
  let session = await signIn('/api/v1/auth/bootstrap');
  const robot = (await call('POST', '/api/v1/service-accounts', { body: { name: 'fuzzer' }, headers: session })).json;
  const key = (
    await call('POST', '/api/v1/api-keys', { body: { name: 'fuzzer', scopes: ['admin'], service_account_id: robot.id }, headers: session })
  ).json.key;
  const admin = { authorization: `Bearer ${key}` };
  return {
    admin,
    headersFor: async (scope) => (scope === 'public' || scope === undefined ? {} : scope === 'session' ? session : admin),
    async renew(scope) {
      if (scope === 'session') session = await signIn('/api/v1/auth/login');
      else throw new Error('The API key of the fuzzer no longer works, although no request could name it.');
    },
  };
}

/** A scanned library, people, groups and saved objects whose ids requests may use. Returns them by the name of their path parameter. */
async function addSampleData(call, headers) {
  const media = path.join(folder, 'media');
  for (const name of ['letters', 'letters/old', 'data']) mkdirSync(path.join(media, name));
  writeFileSync(path.join(media, 'letters', 'one.txt'), 'Dear fuzzer');
  writeFileSync(path.join(media, 'letters', 'old', 'two.md'), '# Two');
  writeFileSync(path.join(media, 'data', 'table.csv'), 'a,b\n1,2\n');
  writeFileSync(path.join(media, 'data', 'broken.pdf'), '%PDF-1.4 no more');
  const post = async (url, body) => (await call('POST', `/api/v1${url}`, { body, headers })).json;
  const get = async (url) => (await call('GET', `/api/v1${url}`, { headers })).json;
  const library = await post('/libraries', { name: 'Fuzzed', root_path: media });
  const { scan_id } = await post(`/libraries/${library.id}/scan`);
  for (let waited = 0; waited < 120 && (await get(`/scans/${scan_id}`)).status === 'running'; waited += 1) await sleep(500);
  const person = await post('/auth/users', { username: 'somebody', password: account.password });
  const group = await post('/rbac/groups', { name: 'Some people' });
  const { id: account_id } = await post('/service-accounts', { name: 'other robot' });
  const grant = await post('/rbac/grants', {
    subject_kind: 'principal',
    subject_id: person.id,
    library_id: library.id,
    action: 'search_metadata',
  });
  const items = (await get('/items?limit=50')).items.map(({ id }) => id);
  const jobs = (await get('/system/jobs')).items.map(({ id }) => id);
  say(`The throw-away service has ${items.length} items and ${jobs.length} jobs.`);
  return {
    library_id: [library.id],
    item_id: items,
    scan_id: [scan_id],
    other_id: [scan_id],
    job_id: jobs,
    principal_id: [person.id],
    group_id: [group.id],
    account_id: [account_id],
    grant_id: [grant.id],
  };
}
