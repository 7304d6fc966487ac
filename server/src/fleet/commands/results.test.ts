import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';

let t: TestApp;
let agent: TestAgent;
let item: string;
let library: string;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
  const entry = (seq_no: number, rel_path: string) => ({
    seq_no,
    event_type: 'created',
    library_ref: '/data/photos',
    rel_path,
    size: 10,
    mtime_ns: '1700000000000000001',
    inode: String(seq_no),
    device: 1,
    links: 1,
    quick_hash: 'a'.repeat(16),
    content_hash: String(seq_no).repeat(64),
    policy_version: 'h1:full',
  });
  const sent = await agent.send('POST', `/agents/${agent.id}/replication-batch`, {
    agent_id: agent.id,
    entries: [entry(1, 'merger/a.jpg'), entry(2, 'public/b.jpg')],
  });
  expect(sent.statusCode, sent.body).toBe(200);
  const { rows } = await sql<{ id: string; library_id: string }>`select id, library_id from items where rel_path = 'merger/a.jpg'`.execute(
    t.deps.db,
  );
  item = rows[0]!.id;
  library = rows[0]!.library_id;
});
afterAll(() => t.close());

test('the failure of a command or transfer does not tell where the file was', async () => {
  const asked = await t.request('POST', `/items/${item}/transfer`, {});
  expect(asked.statusCode, asked.body).toBe(202);
  await t.request('POST', `/items/${item}/verify`, { mode: 'stat' });
  const taken = (await agent.send('POST', `/agents/${agent.id}/commands/poll`, {})).json() as { id: string; kind: string }[];
  // What agent/src/upload.ts sends when the file was moved before the command arrived: the message of realpath().
  for (const { id } of taken)
    await agent.send('POST', `/agents/${agent.id}/commands/${id}/complete`, {
      ok: false,
      result: { error: "ENOENT: no such file or directory, realpath '/data/photos/merger/a.jpg'" },
    });
  await sql`update items set folder_id = (select folder_id from items where rel_path = 'public/b.jpg') where id = ${item}`.execute(
    t.deps.db,
  );
  const { key } = await addPerson(t.deps, [
    [library, 'public', 'search_metadata'],
    [library, 'public', 'download'],
  ]);
  const commands = await t.request('GET', '/agent-commands', undefined, { as: key });
  const transfer = await t.request('GET', `/transfers/${asked.json().transfer_id}`, undefined, { as: key });
  const transfers = await t.request('GET', '/transfers', undefined, { as: key });
  expect(commands.json()).toHaveLength(2);
  expect(transfers.json()).toMatchObject([{ error: 'ENOENT: no such file or directory' }]);
  expect.soft(commands.body).not.toContain('merger');
  expect.soft(transfer.body).not.toContain('merger');
  expect.soft(transfers.body).not.toContain('merger');
});
