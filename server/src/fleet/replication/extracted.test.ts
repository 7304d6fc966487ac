import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { replicationChecks } from './checks.ts';

let t: TestApp;
let agent: TestAgent;
let seq = 0;
const file = { size: 5, mtime_ns: '1700000000000000000', inode: '1', quick_hash: 'a'.repeat(16), content_hash: 'b'.repeat(64) };
const send = async (...entries: Record<string, unknown>[]) => {
  const numbered = entries.map((entry, at) => ({ seq_no: seq + at + 1, event_type: 'created', library_ref: '/data', ...file, ...entry }));
  seq += entries.length;
  const lines = Buffer.from(numbered.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, lines, { headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const item = async (relPath: string) =>
  (
    await sql<{ metadata: Record<string, unknown>; title: string | null; body_text: string | null; extracted_key: string | null }>`
      select metadata, title, body_text, extracted_key from items where rel_path = ${relPath}`.execute(t.deps.db)
  ).rows[0];
const extracted = (more: object = {}) => ({ schema: 1, extractor: 'text@1', meta: { lines: 2 }, body_text: 'Some words', ...more });

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_AGENT_EXTRACTED_MAX_BYTES: '2000' });
  agent = await enrolAgent(t);
});
afterAll(() => t.close());

test('facts and text of a file arrive with its change, later, and through a move in the same batch', async () => {
  await send({ rel_path: 'a.txt', extracted: extracted({ title: 'A letter', year: 1999 }) }, { rel_path: 'b.txt' });
  expect(await item('a.txt')).toMatchObject({ metadata: { lines: 2 }, title: 'A letter', body_text: 'Some words' });
  await send(
    { rel_path: 'b.txt', event_type: 'modified', extracted: extracted() },
    { rel_path: 'c.txt', from_rel_path: 'b.txt', event_type: 'moved' },
  );
  expect(await item('c.txt')).toMatchObject({ metadata: { lines: 2 }, body_text: 'Some words' });
  // Facts of other bytes are not kept for the bytes that replaced them in the same batch.
  await send(
    { rel_path: 'd.txt', extracted: extracted() },
    { rel_path: 'd.txt', event_type: 'modified', size: 6, quick_hash: 'c'.repeat(16), content_hash: 'd'.repeat(64) },
  );
  expect(await item('d.txt')).toMatchObject({ metadata: {}, body_text: null });
});

test('null removes what was read from earlier bytes', async () => {
  await send({ rel_path: 'a.txt', event_type: 'modified', extracted: null });
  expect(await item('a.txt')).toMatchObject({ metadata: {}, title: null, body_text: null, extracted_key: null });
});

test('a lying agent changes nothing but its own facts: limits, markers, characters that cannot be stored, and depth', async () => {
  let deep: unknown = 'end';
  for (let n = 0; n < 40; n += 1) deep = [deep];
  const meta = {
    _extract_error: `one\ntwo ${'x'.repeat(900)}`,
    _extract_error_kind: 'made up',
    _secret: 'dropped',
    nfo_title: 'Not from a sidecar',
    half: '\ud800',
    'nul\u0000key': 'a\u0000b',
    deep,
  };
  const result = await send({ rel_path: 'e.txt', extracted: { extractor: "x'; drop", meta, year: 1e9, body_text: 7 } });
  expect(result).toMatchObject({ quarantined: 0, upserted: 1 });
  const row = (await item('e.txt'))!;
  expect(row.metadata).toMatchObject({ _extract_error_kind: 'corrupt', half: '\ufffd', 'nul key': 'a b' });
  expect(String(row.metadata['_extract_error'])).toMatch(/^one two x{492}$/);
  expect(Object.keys(row.metadata)).not.toEqual(expect.arrayContaining(['_secret']));
  expect(Object.keys(row.metadata)).not.toContain('nfo_title');
  expect(row).toMatchObject({ title: null, body_text: null });
  await send({ rel_path: 'f.txt', extracted: extracted({ body_text: 'y'.repeat(3000) }) });
  expect(await item('f.txt')).toMatchObject({ metadata: { _extract_error_kind: 'guard' }, body_text: null });
  await send({ rel_path: 'g.txt', extracted: 'nonsense' });
  expect(await item('g.txt')).toMatchObject({ metadata: {}, extracted_key: null });
});

test('recognised text arrives as the service itself would store it; other types of its facts are dropped', async () => {
  const good = { ocr_text: 'Printed\u0000words', ocr_source_hash: file.content_hash, ocr_text_truncated: true };
  await send({ rel_path: 'scan.png', extracted: { schema: 1, extractor: 'image@1', meta: { width: 3, ...good } } });
  expect((await item('scan.png'))?.metadata).toEqual({ width: 3, ...good, ocr_text: 'Printed words' });
  const bad = {
    ocr_text: { secret: 1 },
    ocr_source_hash: ['x'.repeat(500)],
    ocr_text_truncated: 'yes',
    _ocr_error: `no\n${'x'.repeat(900)}`,
  };
  await send({ rel_path: 'liar.png', extracted: { schema: 1, extractor: 'image@1', meta: { width: 3, ...bad } } });
  expect((await item('liar.png'))?.metadata).toEqual({ width: 3, _ocr_error: expect.stringMatching(/^no x{497}$/) });
  await send({ rel_path: 'blank.png', extracted: { schema: 1, extractor: 'image@1', meta: { ocr_text: '', ocr_text_truncated: true } } });
  expect((await item('blank.png'))?.metadata).toEqual({});
});

test('what an agent has read is never copied to a file that the service reads itself', async () => {
  await send({ rel_path: 'h.txt', extracted: extracted({ meta: { author: 'Forged' } }) });
  const { rows } = await sql`select 1 from items where extracted_key = ${`${file.content_hash}:text@1:txt`}`.execute(t.deps.db);
  expect(rows).toEqual([]);
  expect((await item('h.txt'))?.extracted_key).toMatch(/^agent-b{64}:text@1:txt$/);
  const violations = async () => (await Promise.all(replicationChecks.map((check) => check.run(t.deps)))).flat();
  expect(await violations()).toEqual([]);
  await sql`update all_libraries set source_agent_id = null`.execute(t.deps.db);
  expect(await violations()).toContainEqual(expect.stringContaining('its facts come from one'));
});
