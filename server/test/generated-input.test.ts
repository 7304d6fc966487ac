import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { listOperations, type Operation, requestTo } from './operations.ts';

/** A small companion of `npm run fuzz`: a few generated requests to every operation of the API document. */
const requestsPerOperation = 6;
const seed = 20_260_703;
let t: IndexedApp;
let operations: Operation[] = [];
let ids: string[] = [];

beforeAll(async () => {
  t = await createIndexedApp({ SVC_AGENTS_ENABLED: 'true', SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
  const library = await t.addLibrary('Generated');
  ids = [library, ...(await t.addItems(library, [{ path: 'a/one.pdf', body: 'some text' }, { path: 'b/two.jpg' }]))];
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
    values (${library}, 'finished', 'done', now(), '{}') returning id`.execute(t.deps.db);
  ids.push(rows[0]!.id);
  await t.waitForIndex();
  operations = await listOperations(t);
});
afterAll(() => t.close());

test('no generated request gets a 5xx, and every error is a problem document', async () => {
  const failures: string[] = [];
  let requests = 0;
  for (const operation of operations) {
    // Reads of five seconds, and a stream that stays open.
    if (operation.url.endsWith('/fs/count') || operation.url.endsWith('/events')) continue;
    for (const { url, body } of fc.sample(requestTo(operation, ids), { numRuns: requestsPerOperation, seed })) {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const answer = await t.app.inject({
        method: operation.method as 'GET',
        url,
        ...(payload === undefined ? {} : { payload }),
        headers: { authorization: `Bearer ${t.keys.admin}`, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
      });
      requests += 1;
      const { statusCode } = answer;
      const isProblem =
        String(answer.headers['content-type']).startsWith('application/problem+json') && answer.json().status === statusCode;
      if (statusCode >= 500 || (statusCode >= 400 && !isProblem))
        failures.push(`${statusCode} ${operation.method} ${url} ${payload ?? ''}: ${answer.body}`.slice(0, 800));
    }
  }
  expect(failures).toEqual([]);
  expect(operations.length).toBeGreaterThan(100);
  console.log(`Generated input: ${operations.length} operations, ${requests} requests.`);
}, 300_000);
