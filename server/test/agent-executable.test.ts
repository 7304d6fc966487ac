import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createSandboxPool, defaultLimits } from '@catalog/readers';
import { createHasher } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photo } from '../../readers/test/samples/images.ts';
import { samples } from '../../readers/test/samples/index.ts';
import { makeDocx } from '../../readers/test/samples/office.ts';
import { createTestApp, type TestApp } from './app.ts';

const program = path.resolve(import.meta.dirname, `../../dist/agent-dist/catalog-agent-${process.platform}-${process.arch}`);
const isBuilt = existsSync(program);
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-executable-'));
let t: TestApp;

beforeAll(async () => {
  if (!isBuilt) return;
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await t?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs without Node, modules or sources of this machine. */
const agent = (...args: string[]) =>
  promisify(execFile)(program, ['--data-dir', path.join(folder, 'data'), ...args], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: folder },
  });

test.skipIf(!isBuilt)(
  `the single executable enrols, scans, hashes as the service does and reports its files${isBuilt ? '' : ' (skipped: run "npm run agent:build" first)'}`,
  async () => {
    const root = path.join(folder, 'files');
    mkdirSync(path.join(root, 'a'), { recursive: true });
    const file = path.join(root, 'a', 'one.txt');
    writeFileSync(file, 'one');
    const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
    const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
    await agent('enrol', '--url', url, '--token', token, '--root', root);
    await agent('scan');
    expect((await agent('push')).stdout).toMatch(/Sent \d+ changes/);
    const { rows } = await sql<{ rel_path: string; content_hash: string }>`select rel_path, content_hash from items`.execute(t.deps.db);
    const hasher = createHasher({ threads: 1 });
    const [own] = await hasher.hash([{ path: file, size: 3, mtimeNs: String(statSync(file, { bigint: true }).mtimeNs), content: true }]);
    await hasher.close();
    expect(rows.map(({ rel_path }) => rel_path)).toEqual(['a/one.txt']);
    expect(own).toMatchObject({ content: rows[0]?.content_hash });
    await readsContents(root);
  },
  300_000,
);

/** Readers are inside the executable too: facts and text are those that the service would find itself. */
async function readsContents(root: string): Promise<void> {
  const [global] = (await t.request('GET', '/agents/config-groups')).json();
  const policy = { extract_enabled: true, extract_body_text: true };
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy })).statusCode).toBe(200);
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
  rmSync(path.join(folder, 'data', 'policy.json'));
  await agent('scan');
  const doctor = (await agent('doctor')).stdout;
  expect(doctor).toMatch(/Contents of files are read, with \d+ readers/);
  expect((await agent('read')).stdout).toContain('Read 4 files.');
  await agent('push');
  const { rows } = await sql<{ rel_path: string; metadata: Record<string, unknown>; body_text: string | null }>`
    select rel_path, metadata, body_text from items order by rel_path`.execute(t.deps.db);
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
