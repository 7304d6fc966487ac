import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { webpSize } from './webp.ts';

let t: TestApp;
let agent: TestAgent;
const hash = 'b'.repeat(64);
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t);
  const entry = { event_type: 'created', library_ref: '/data', rel_path: 'a.png', size: 5, mtime_ns: '1700000000000000000' };
  const entries = [{ ...entry, seq_no: 1, quick_hash: 'a'.repeat(16), content_hash: hash }];
  expect((await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries })).statusCode).toBe(200);
});
afterAll(() => t.close());

const picture = async (width: number, options: object = {}) =>
  sharp({ create: { width, height: 8, channels: 3, background: 'green' } })
    .webp(options)
    .toBuffer();
const body = async (change: object = {}) => ({
  ...{ library_ref: '/data', rel_path: 'a.png', content_hash: hash, renderer: 'image@1' },
  ...{ grid: (await picture(16)).toString('base64'), preview: (await picture(64)).toString('base64') },
  ...change,
});
const send = async (change: object = {}) => agent.send('POST', `/agents/${agent.id}/thumbs`, await body(change));

test('a picture of the catalogued bytes is stored once and shown', async () => {
  const { rows } = await sql<{ id: string }>`select id from items`.execute(t.deps.db);
  expect((await send()).json()).toEqual({ stored: true });
  expect((await send()).json()).toEqual({ stored: false });
  const shown = await t.request('GET', `/items/${rows[0]?.id}/thumb?tier=preview`);
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp']);
  expect((await sharp(shown.rawPayload).metadata()).width).toBe(64);
});

test('other bytes, unknown files, and what is no small WebP picture are refused', async () => {
  const jpeg = (
    await sharp(await picture(16))
      .jpeg()
      .toBuffer()
  ).toString('base64');
  const huge = (await picture(4000)).toString('base64');
  expect((await send({ content_hash: 'c'.repeat(64) })).statusCode).toBe(409);
  expect((await send({ rel_path: 'b.png' })).statusCode).toBe(404);
  expect((await send({ library_ref: '/other' })).statusCode).toBe(404);
  expect((await send({ grid: jpeg })).statusCode).toBe(415);
  expect((await send({ preview: huge })).statusCode).toBe(415);
  expect((await send({ renderer: '../x' })).statusCode).toBe(422);
  expect((await send({ grid: 'A'.repeat(400_000) })).statusCode).toBe(422);
});

test('the size of every kind of WebP is read from its header', async () => {
  expect(webpSize(await picture(300))).toEqual({ width: 300, height: 8 });
  expect(webpSize(await picture(301, { lossless: true }))).toEqual({ width: 301, height: 8 });
  const transparent = sharp({ create: { width: 302, height: 8, channels: 4, background: { r: 1, g: 2, b: 3, alpha: 0.5 } } });
  expect(webpSize(await transparent.webp().toBuffer())).toEqual({ width: 302, height: 8 });
  expect(webpSize(Buffer.from('RIFF'))).toBeNull();
});
