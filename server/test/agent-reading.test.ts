import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseChecks } from '../src/assembly/checks.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { until } from './service.ts';

// The real agent program reads its files, watches them and offers a search, as the policy of a real service says.
let t: IndexedApp;
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-reading-'));
const root = path.join(folder, 'files');
const dataDir = path.join(folder, 'data');
const program = path.resolve(import.meta.dirname, '../../agent/src/main.ts');
const words = ['--disable-warning=ExperimentalWarning', '--strip-types', program, '--data-dir', dataDir];
const env = { ...process.env, NODE_OPTIONS: '' };
const wait = { timeout: 90_000 };

const write = (name: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), content);
};
const agent = (...args: string[]) =>
  promisify(execFile)(process.execPath, [...words, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
const done = async (...commands: string[]) => {
  for (const command of commands) expect(await agent(command), command).toMatchObject({ code: 0 });
};
const setPolicy = async (policy: object) => {
  const [global] = (await t.request('GET', '/agents/config-groups')).json();
  expect((await t.request('PATCH', `/agents/config-groups/${global.id}`, { policy })).statusCode).toBe(200);
};
const found = async (query: string): Promise<string[]> =>
  (await t.request('GET', `/search?q=${encodeURIComponent(query)}&limit=20`))
    .json()
    .hits.map(({ rel_path }: { rel_path: string }) => rel_path);
const item = async (relPath: string) =>
  (
    await sql<{ id: string; status: string; metadata: Record<string, unknown>; body_text: string | null; extracted_key: string | null }>`
      select id, status, metadata, body_text, extracted_key from items where rel_path = ${relPath}`.execute(t.deps.db)
  ).rows[0];

function onePage(): Buffer {
  const content = 'BT /F1 40 Tf 40 100 Td (Ground plan) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  return Buffer.from(
    `%PDF-1.4\n${objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`,
  );
}

beforeAll(async () => {
  t = await createIndexedApp({ SVC_AGENTS_ENABLED: 'true', SVC_AGENT_EXTRACTED_MAX_BYTES: '4000' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  await setPolicy({ extract_enabled: true, extract_body_text: true, extract_max_bytes: 1_000_000, watch_mode: true, web_ui_enabled: true });
  write('letters/first.txt', 'The mooring fees were paid in copper.');
  write('letters/long.txt', `Beginning ${'of a very long letter '.repeat(1000)}`);
  write('letters/broken.docx', 'PK\u0003\u0004 this is no document');
  write('large.txt', 'x'.repeat(1_000_001));
  write(
    'photo.png',
    await sharp({ create: { width: 64, height: 48, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  );
  write('plan.pdf', onePage());
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
  expect(await agent('enrol', '--url', url, '--token', token, '--root', root, '--name', 'reader')).toMatchObject({ code: 0 });
}, 120_000);
afterAll(async () => {
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

test('facts and text that an agent has read are found by searches; what is too long is cut, and failures are shown', async () => {
  await done('scan', 'read', 'push');
  await t.waitForIndex();
  expect(await found('copper')).toEqual(['letters/first.txt']);
  expect(await found('meta.width:64')).toEqual(['photo.png']);
  const long = await item('letters/long.txt');
  expect(long?.metadata).toMatchObject({ body_text_truncated: true });
  expect(long?.body_text?.length).toBeGreaterThan(3000);
  expect((await item('letters/broken.docx'))?.metadata).toMatchObject({ _extract_error_kind: 'corrupt' });
  expect(await item('large.txt')).toMatchObject({ metadata: {}, body_text: null });
  const text = await t.request('GET', `/items/${(await item('letters/first.txt'))?.id}/text`);
  expect(text.json()).toMatchObject({ text: 'The mooring fees were paid in copper.', source: 'body' });
}, 180_000);

test('files are not read again without a reason: not after a move, and not by a second run', async () => {
  renameSync(path.join(root, 'letters/first.txt'), path.join(root, 'letters/second.txt'));
  await done('scan');
  expect((await agent('read')).stdout).toContain('Read 1 files.');
  expect(JSON.parse((await agent('status')).stdout)).toMatchObject({ outbox_pending: 1, unread: 0 });
  await done('push');
  expect(await item('letters/second.txt')).toMatchObject({ body_text: 'The mooring fees were paid in copper.' });
  expect((await agent('read')).stdout).toContain('Read 0 files.');
}, 120_000);

test('a file whose facts come from its name, too, is read again under another name', async () => {
  write('film.en.srt', '1\n00:00:01,000 --> 00:00:02,000\nThe tide is out.\n');
  await done('scan', 'read', 'push');
  expect((await item('film.en.srt'))?.metadata).toMatchObject({ subtitles: { language: 'en' } });
  renameSync(path.join(root, 'film.en.srt'), path.join(root, 'film.de.srt'));
  await done('scan', 'read', 'push');
  expect((await item('film.de.srt'))?.metadata).toMatchObject({ subtitles: { language: 'de' } });
}, 120_000);

test('files are read when their disk comes back, although it was away when it was their turn', async () => {
  write('away.txt', 'Nobody answers the telephone.');
  await done('scan');
  renameSync(root, `${root} away`);
  await done('read');
  renameSync(`${root} away`, root);
  await done('scan', 'read', 'push');
  expect(await item('away.txt')).toMatchObject({ body_text: 'Nobody answers the telephone.' });
}, 120_000);

test('a change is reported within seconds while folders are watched, long before the next scan', async () => {
  // An extension that no reader knows, in a category that routes to the reader of pictures.
  const { tree } = (await t.request('GET', '/taxonomy')).json();
  const pictures = tree.flatMap(({ groups }: { groups: { key: string; extensions: string[] }[] }) => groups);
  const { key } = pictures.find(({ extensions }: { extensions: string[] }) => extensions.includes('png'));
  expect((await t.request('POST', `/taxonomy/groups/${key}/extensions`, { ext: 'pngx' })).statusCode).toBe(200);
  const running = spawn(process.execPath, [...words, 'run'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let log = '';
  running.stdout.on('data', (part: Buffer) => {
    log += part.toString();
  });
  try {
    await expect.poll(() => log, wait).toContain('Scanned');
    const page = () => readFileSync(path.join(dataDir, 'page.url'), 'utf8').trim();
    await expect.poll(() => page(), wait).toContain('token=');
    write('odd.pngx', readFileSync(path.join(root, 'photo.png')));
    const started = Date.now();
    write('harbour/new/pier.txt', 'Planks of larch.');
    await expect.poll(() => found('larch'), wait).toEqual(['harbour/new/pier.txt']);
    expect(Date.now() - started).toBeLessThan(80_000);
    const { id } = (await item('harbour/new/pier.txt'))!;
    mkdirSync(path.join(root, 'quay'));
    renameSync(path.join(root, 'harbour/new'), path.join(root, 'quay/old'));
    await expect.poll(() => item('quay/old/pier.txt'), wait).toMatchObject({ id, status: 'active' });
    symlinkSync('/etc', path.join(root, 'way-out'));
    rmSync(path.join(root, 'quay'), { recursive: true });
    await expect.poll(async () => (await item('quay/old/pier.txt'))?.status, wait).toBe('missing');
    expect((await sql`select 1 from items where rel_path like 'way-out/%'`.execute(t.deps.db)).rows).toEqual([]);
    expect(log.match(/Scanned .* 0 new, 0 changed, 0 moved, 0 deleted/g) ?? []).toHaveLength(1);
    await searchInTheBrowser(page());
    await expect.poll(async () => (await item('odd.pngx'))?.metadata, wait).toMatchObject({ width: 64 });
    await readAgainByCommand();
    // Pictures of a file on the other machine are drawn when somebody asks for them.
    const thumb = await t.request('GET', `/items/${(await item('photo.png'))?.id}/thumb`);
    expect([thumb.statusCode, thumb.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await sharp(thumb.rawPayload).metadata()).width).toBe(64);
    // So is text that the agent has not sent.
    await sql`update items set body_text = null where rel_path = 'plan.pdf'`.execute(t.deps.db);
    const told = await t.request('GET', `/items/${(await item('plan.pdf'))?.id}/text`);
    expect(told.json(), told.body).toMatchObject({ text: expect.stringContaining('Ground plan'), truncated: false, source: 'body' });
    expect((await item('plan.pdf'))?.body_text).toBeNull();
    expect((await t.request('GET', `/items/${(await item('photo.png'))?.id}/text`)).json()).toMatchObject({ code: 'no_text' });
    const drawn = await t.request('GET', `/items/${(await item('plan.pdf'))?.id}/pages/1?width=300`);
    expect([drawn.statusCode, drawn.headers['content-type']], drawn.body.slice(0, 300)).toEqual([200, 'image/webp']);
  } finally {
    running.kill('SIGKILL');
  }
}, 300_000);

/** Facts that the service has lost come back when the agent reads everything again. */
async function readAgainByCommand(): Promise<void> {
  const [{ id }] = (await t.request('GET', '/agents')).json().items;
  await sql`update items set metadata = '{}' where rel_path = 'photo.png'`.execute(t.deps.db);
  const run = async (body: object) => {
    const asked = (await t.request('POST', `/agents/${id}/reextract`, body)).json();
    const command = async () => (await t.request('GET', `/agent-commands/${asked.id}`)).json();
    await expect.poll(async () => (await command()).status, wait).toMatch(/done|failed/);
    return command();
  };
  // Everything was read before.
  expect(await run({})).toMatchObject({ status: 'done', result: { files: 0 } });
  expect((await item('photo.png'))?.metadata).toEqual({});
  const done = await run({ force: true });
  expect(done).toMatchObject({ status: 'done' });
  expect(done.result.files).toBeGreaterThan(4);
  await expect.poll(async () => (await item('photo.png'))?.metadata, wait).toMatchObject({ width: 64 });
  const told = (await t.request('GET', `/agents/${id}/about`)).json();
  expect(told.extract.extractors).toContainEqual(expect.stringMatching(/^image@\d+$/));
  expect(told.host_tools.map(({ name }: { name: string }) => name)).toContain('ffprobe');
}

async function searchInTheBrowser(address: string): Promise<void> {
  const { origin } = new URL(address);
  expect((await fetch(`${origin}/?q=photo`)).status).toBe(401);
  const opened = await fetch(address, { redirect: 'manual' });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const shown = await fetch(`${origin}/?q=photo`, { headers: { cookie } });
  expect(await shown.text()).toContain(`${root}/photo.png`);
  expect((await agent('page')).stdout.trim()).toBe(address);
  expect((await agent('search', 'photo')).stdout).toContain(`${root}/photo.png`);
  // A web site that resolves to the loopback address sends its own name.
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    request(`${origin}/?q=photo`, { headers: { host: 'evil.example', cookie } }, (answer) => resolve(answer.statusCode)).end();
  });
  expect(status).toBe(421);
}

test('an agent draws thumbnails of its files when the policy asks for it, and they are shown while it is away', async () => {
  const pictures = async () =>
    (
      await sql<{ rel_path: string }>`select rel_path from items where thumb_key is not null and status = 'active' order by 1`.execute(
        t.deps.db,
      )
    ).rows;
  await sql`update items set thumb_key = null`.execute(t.deps.db);
  await setPolicy({ extract_enabled: true, extract_body_text: true, thumbs_enabled: true });
  rmSync(path.join(dataDir, 'policy.json'));
  write('second.png', readFileSync(path.join(root, 'photo.png')));
  // Pictures follow once everything else was sent.
  await done('scan', 'read');
  expect(await pictures()).toEqual([]);
  await done('push', 'read');
  expect((await pictures()).map(({ rel_path }) => rel_path)).toEqual(expect.arrayContaining(['photo.png', 'plan.pdf', 'second.png']));
  for (const name of ['second.png', 'plan.pdf']) {
    const shown = await t.request('GET', `/items/${(await item(name))?.id}/thumb?tier=preview`);
    expect([shown.statusCode, shown.headers['content-type']], name).toEqual([200, 'image/webp']);
  }
  expect(JSON.parse((await agent('status')).stdout)).toMatchObject({ undrawn: 0 });
  // Nothing is drawn twice, and new bytes are drawn again.
  const before = await sql<{ thumb_key: string }>`select thumb_key from items where rel_path = 'second.png'`.execute(t.deps.db);
  write(
    'second.png',
    await sharp({ create: { width: 32, height: 32, channels: 3, background: 'blue' } })
      .png()
      .toBuffer(),
  );
  await done('scan', 'read', 'push', 'read');
  const after = await sql<{ thumb_key: string }>`select thumb_key from items where rel_path = 'second.png'`.execute(t.deps.db);
  expect(after.rows[0]?.thumb_key).toEqual(expect.any(String));
  expect(after.rows[0]?.thumb_key).not.toBe(before.rows[0]?.thumb_key);
}, 180_000);

const printed = (words: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg width="1200" height="300"><rect width="100%" height="100%" fill="white"/><text x="40" y="170" font-size="80" font-family="sans-serif">${words}</text></svg>`,
    ),
  )
    .png()
    .toBuffer();

test('an agent recognises text in pictures when the policy asks for it, and only such files are read again', async () => {
  const asks = { extract_enabled: true, extract_body_text: true, thumbs_enabled: true };
  const policyFile = path.join(dataDir, 'policy.json');
  const read = async (extract_ocr: boolean, lang?: string) => {
    await setPolicy({ ...asks, extract_ocr });
    rmSync(policyFile, { force: true });
    await done('scan');
    const stored = JSON.parse(readFileSync(policyFile, 'utf8'));
    expect(stored.policy).toMatchObject({ extract_ocr, ocr_lang: 'eng', ocr_max_pages: 10, ocr_timeout_seconds: 120 });
    if (lang !== undefined) writeFileSync(policyFile, JSON.stringify({ ...stored, policy: { ...stored.policy, ocr_lang: lang } }));
    const { stdout } = await agent('read');
    await done('push');
    return Number(/Read (\d+) files/.exec(stdout)?.[1]);
  };
  write('notice.png', await printed('Lighthouse keeper'));
  await read(false);
  expect((await item('notice.png'))?.metadata).toMatchObject({ width: 1200 });
  expect((await item('notice.png'))?.metadata).not.toHaveProperty('ocr_text');

  // The machine has no data for the language: the file and the doctor say so.
  const candidates = ['notice.png', 'odd.pngx', 'photo.png', 'plan.pdf', 'second.png'];
  expect(await read(true, 'xyz')).toBe(candidates.length);
  expect((await item('notice.png'))?.metadata).toMatchObject({ width: 1200, _ocr_error: expect.stringContaining('xyz') });
  expect((await agent('doctor')).stdout).toMatch(/PROBLEM {2}The rules ask for text in pictures, but .*xyz/);

  expect(await read(true)).toBe(candidates.length);
  expect((await agent('doctor')).stdout).toContain('ok       Text in pictures is recognised');
  const notice = (await item('notice.png'))!;
  expect(notice.metadata).toMatchObject({ ocr_text: expect.stringContaining('Lighthouse keeper'), ocr_source_hash: expect.any(String) });
  expect(notice.metadata).not.toHaveProperty('_ocr_error');
  expect((await item('photo.png'))?.metadata).not.toHaveProperty('ocr_text');
  await t.waitForIndex();
  expect(await found('lighthouse')).toEqual(['notice.png']);
  const shown = (await t.request('GET', `/items/${notice.id}/text`)).json();
  expect(shown).toMatchObject({ text: expect.stringContaining('Lighthouse keeper'), truncated: false, source: 'ocr' });
  expect(await read(true)).toBe(0);

  expect(await read(false)).toBe(candidates.length);
  expect((await item('notice.png'))?.metadata).not.toHaveProperty('ocr_text');
  await until(async () => (await found('lighthouse')).length === 0, 'the text to be gone from the index');
}, 300_000);

test('when the policy stops reading, facts of earlier bytes are void, and local search ends', async () => {
  await setPolicy({ local_access_enabled: false });
  rmSync(path.join(dataDir, 'policy.json'));
  write('letters/second.txt', 'Paid in silver.');
  await done('scan', 'read', 'push');
  await setPolicy({ local_access_enabled: false });
  expect((await agent('search', 'photo')).stderr).toContain('does not allow');
  // The file was scanned while its reading was still switched on; the next change is not.
  write('letters/second.txt', 'Paid in gold coins.');
  await done('scan', 'push');
  expect(await item('letters/second.txt')).toMatchObject({ body_text: null, extracted_key: null });
  expect(await item('photo.png')).toMatchObject({ metadata: { width: 64 } });
}, 120_000);
