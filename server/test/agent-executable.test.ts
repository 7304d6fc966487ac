import { execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createSandboxPool, defaultLimits } from '@catalog/readers';
import { createHasher } from '@catalog/scanner';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photo } from '../../readers/test/samples/images.ts';
import { samples } from '../../readers/test/samples/index.ts';
import { makeDocx } from '../../readers/test/samples/office.ts';
import { setAcl } from '../src/catalog/permissions/acl-tree.fixture.ts';
import { createTestApp, type TestApp } from './app.ts';

const built = path.resolve(import.meta.dirname, `../../dist/agent-dist/catalog-agent-${process.platform}-${process.arch}`);
const isBuilt = existsSync(built);
const unless = isBuilt ? '' : ' (skipped: run "npm run agent:build" first)';
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-executable-'));
/** A copy, because packages of the repository must not be found from where it lies. */
const program = path.join(folder, 'bin', 'catalog-agent');
let t: TestApp;
let url: string;

beforeAll(async () => {
  if (!isBuilt) return;
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
  mkdirSync(path.dirname(program));
  copyFileSync(built, program);
});
afterAll(async () => {
  await t?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Machine {
  root: string;
  dataDir: string;
  agent(...args: string[]): Promise<{ stdout: string }>;
}

/** Runs without Node, modules or sources of this machine. */
const environment = { PATH: '/usr/bin:/bin', HOME: folder };

/** An agent with a folder of its own. */
async function enrolMachine(name: string, env: Record<string, string> = environment): Promise<Machine> {
  const [root, dataDir] = [path.join(folder, name, 'files'), path.join(folder, name, 'data')];
  mkdirSync(root, { recursive: true });
  const agent = (...args: string[]) => promisify(execFile)(program, ['--data-dir', dataDir, ...args], { cwd: '/', env });
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  await agent('enrol', '--url', url, '--token', token, '--root', root, '--name', name);
  return { root, dataDir, agent };
}

test.skipIf(!isBuilt)(
  `the single executable enrols, scans, hashes as the service does and reports its files${unless}`,
  async () => {
    const machine = await enrolMachine('first');
    const { root, agent } = machine;
    mkdirSync(path.join(root, 'a'));
    const file = path.join(root, 'a', 'one.txt');
    writeFileSync(file, 'one');
    await agent('scan');
    expect((await agent('push')).stdout).toMatch(/Sent \d+ changes/);
    const { rows } = await sql<{ rel_path: string; content_hash: string }>`
      select rel_path, content_hash from items where library_id in (select id from libraries where root_path = ${root})`.execute(t.deps.db);
    const hasher = createHasher({ threads: 1 });
    const [own] = await hasher.hash([{ path: file, size: 3, mtimeNs: String(statSync(file, { bigint: true }).mtimeNs), content: true }]);
    await hasher.close();
    expect(rows.map(({ rel_path }) => rel_path)).toEqual(['a/one.txt']);
    expect(own).toMatchObject({ content: rows[0]?.content_hash });
    await readsContents(machine);
  },
  300_000,
);

async function setPolicy(policy: object): Promise<void> {
  const [global] = (await t.request('GET', '/agents/config-groups')).json();
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy })).statusCode).toBe(200);
}

/** Readers are inside the executable too: facts and text are those that the service would find itself. */
async function readsContents({ root, dataDir, agent }: Machine): Promise<void> {
  await setPolicy({ extract_enabled: true, extract_body_text: true });
  writeFileSync(
    path.join(root, 'photo.jpg'),
    await photo(640, 480)
      .jpeg()
      .withExif({ IFD0: { Model: 'Lookout 7' } })
      .toBuffer(),
  );
  writeFileSync(path.join(root, 'report.docx'), makeDocx(['The breakwater was repaired.']));
  const pdf = samples.find(({ filename, word }) => filename.endsWith('.pdf') && word !== undefined)!;
  writeFileSync(path.join(root, 'plan.pdf'), await pdf.build());
  rmSync(path.join(dataDir, 'policy.json'));
  await agent('scan');
  const doctor = (await agent('doctor')).stdout;
  expect(doctor).toMatch(/Contents of files are read, with \d+ readers/);
  expect((await agent('read')).stdout).toContain('Read 4 files.');
  await agent('push');
  const { rows } = await sql<{ rel_path: string; metadata: Record<string, unknown>; body_text: string | null }>`
    select rel_path, metadata, body_text from items where library_id in (select id from libraries where root_path = ${root})`.execute(
    t.deps.db,
  );
  const found = Object.fromEntries(rows.map(({ rel_path, ...facts }) => [rel_path, facts]));
  const pool = createSandboxPool({ size: 1 });
  try {
    for (const name of ['photo.jpg', 'report.docx', 'plan.pdf']) {
      const file = path.join(root, name);
      const job = {
        path: file,
        root,
        filename: name,
        extension: path.extname(name).slice(1),
        size: statSync(file).size,
        limits: defaultLimits,
      };
      const own = await pool.extract(job);
      if (!own.ok || own.unsupported) throw new Error(`${name} cannot be read here: ${JSON.stringify(own)}`);
      expect(found[name], name).toMatchObject({ metadata: own.extracted.metadata, body_text: own.extracted.bodyText ?? null });
    }
  } finally {
    pool.close();
  }
  expect(found['photo.jpg']?.metadata).toMatchObject({ width: 640, height: 480 });
  expect(found['report.docx']?.body_text).toContain('The breakwater was repaired.');
  expect(found['plan.pdf']?.body_text).toContain(pdf.word);
}

/** Starts a thread of the executable as the scanner does, and asks it for the access list of one file. */
const askThread = `const [, , koffi, folder, name] = process.argv;
const { Worker } = require('node:worker_threads');
const source = Buffer.from(require('node:sea').getAsset('permissions-thread')).toString('base64');
const thread = new Worker(new URL('data:text/javascript;base64,' + source), { workerData: { koffi: koffi || undefined } });
thread.on('message', ({ packed }) => {
  console.log(packed.found.map(({ values }) => Object.keys(values).join()).join());
  thread.terminate();
});
thread.postMessage({ id: 0, folders: [{ folder, names: [name] }] });`;

test.skipIf(!isBuilt || process.platform !== 'linux')(
  `the single executable reads access lists with the koffi that it carries, and with no other${unless}`,
  async () => {
    const { root, dataDir, agent } = await enrolMachine('lists');
    const mark = path.join(folder, 'foreign-koffi-was-loaded');
    const foreign = path.join(path.dirname(program), 'node_modules', 'koffi');
    mkdirSync(foreign, { recursive: true });
    writeFileSync(path.join(foreign, 'index.js'), `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`);
    writeFileSync(path.join(root, 'ledger.txt'), 'one');
    setAcl(path.join(root, 'ledger.txt'), 'access', [
      ['owner', 6],
      ['user', 4, 30_001],
      ['group_owner', 4],
      ['mask', 4],
      ['other', 0],
    ]);
    const { id: agentId } = (await t.request('GET', '/agents')).json().items.find(({ name }: { name: string }) => name === 'lists');
    const running = spawn(program, ['--data-dir', dataDir, 'run'], { cwd: '/', env: environment, stdio: 'ignore' });
    try {
      const payload = { collectors: ['permissions'] };
      const asked = await t.request('POST', `/agents/${agentId}/commands`, { kind: 'inventory', payload });
      expect(asked.statusCode, asked.body).toBe(201);
      const command = async () => (await t.request('GET', `/agent-commands/${asked.json().id}`)).json();
      await expect.poll(async () => (await command()).status, { timeout: 50_000 }).toMatch(/done|failed/);
      expect((await command()).result).toMatchObject({ summary: { collectors_run: ['permissions'], collector_errors: {} } });
      const [line] = (await t.request('GET', `/agent-commands/${asked.json().id}/inventory`)).body.split('\n');
      expect(JSON.parse(line!)).toMatchObject({
        path: 'ledger.txt',
        permissions: {
          fidelity: 'full_native',
          entries: expect.arrayContaining([expect.objectContaining({ principal: { kind: 'user', id: 'uid:30001' }, verbs: ['read'] })]),
        },
      });
    } finally {
      running.kill('SIGKILL');
    }
    expect((await agent('doctor')).stdout).toContain('ok       Access lists of files can be read.');
    await setPolicy({ record_permissions: true });
    rmSync(path.join(dataDir, 'policy.json'));
    await agent('scan');
    await agent('push');
    const { rows } = await sql<{ acl: object }>`
      select a.acl from items i join access_classes c on c.id = i.access_class join file_acls a on a.id = c.acl_id where i.rel_path = 'ledger.txt'`.execute(
      t.deps.db,
    );
    expect(rows).toMatchObject([
      { acl: { fidelity: 'full_native', access: expect.arrayContaining([{ tag: 'user', id: 30_001, perm: 4 }]) } },
    ]);
    const [unpacked] = readdirSync(dataDir).filter((name) => name.startsWith('koffi-'));
    const module = path.join(folder, 'ask-thread.cjs');
    writeFileSync(module, askThread);
    const inThread = async (koffi: string) =>
      (await promisify(execFile)(program, ['run-module', module, koffi, root, 'ledger.txt'], { env: environment })).stdout.trim();
    expect(await inThread(path.join(dataDir, unpacked!))).toBe('system.posix_acl_access');
    expect(await inThread('')).toBe('');
    chmodSync(dataDir, 0o770);
    expect((await agent('doctor')).stdout).toMatch(/ok {7}Access lists cannot be read, .* Other users can write to .*\/lists\/data\./);
    expect(existsSync(mark)).toBe(false);
  },
  120_000,
);

const printed = (words: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg width="1200" height="300"><rect width="100%" height="100%" fill="white"/><text x="40" y="170" font-size="80" font-family="sans-serif">${words}</text></svg>`,
    ),
  )
    .png()
    .toBuffer();

const layersMissing = (findings: string): string[] => findings.split('\n').filter((line) => line.includes('one layer of protection'));

test.skipIf(!isBuilt)(
  `the single executable recognises English text on a machine without tesseract, and says that it knows no other language${unless}`,
  async () => {
    await setPolicy({ extract_enabled: true, extract_ocr: true });
    // What the sandbox of the readers is built with, and no tesseract.
    const tools = path.join(folder, 'tools');
    mkdirSync(tools);
    for (const name of ['env', 'prlimit', 'setpriv', 'true', 'unshare'])
      if (existsSync(`/usr/bin/${name}`)) symlinkSync(`/usr/bin/${name}`, path.join(tools, name));
    const withoutTesseract = { PATH: tools, HOME: folder };
    const { root, dataDir, agent } = await enrolMachine('scans', withoutTesseract);
    writeFileSync(path.join(root, 'notice.png'), await printed('Lighthouse keeper'));
    await agent('scan');
    const doctor = (env = environment) =>
      promisify(execFile)(program, ['--data-dir', dataDir, 'doctor'], { env }).catch((error: { stdout: string }) => error);
    const { stdout } = await doctor(withoutTesseract);
    expect(stdout).toContain('ok       Text in pictures is recognised, in the language "eng".');
    expect(layersMissing(stdout)).toEqual(layersMissing((await doctor()).stdout));
    const recognised = async () => {
      await agent('read');
      await agent('push');
      const { rows } = await sql<{ metadata: Record<string, unknown> }>`
        select metadata from items where library_id in (select id from libraries where root_path = ${root})`.execute(t.deps.db);
      return rows[0]?.metadata;
    };
    const english = await recognised();
    expect(english).toMatchObject({ ocr_text: expect.stringContaining('Lighthouse keeper') });
    expect(english).not.toHaveProperty('_ocr_error');
    const file = path.join(dataDir, 'policy.json');
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...stored, policy: { ...stored.policy, ocr_lang: 'deu' } }));
    const refusal = 'Without tesseract only the language "eng" can be read, not "deu".';
    const { stdout: problems } = await doctor(withoutTesseract);
    expect(problems).toContain(`PROBLEM  The rules ask for text in pictures, but it cannot be recognised here: ${refusal}`);
    expect(await recognised()).toMatchObject({ _ocr_error: refusal });
  },
  180_000,
);
