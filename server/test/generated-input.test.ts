import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';
import { type JsonSchema, valueFor } from './schema-values.ts';

/** A small companion of `npm run fuzz`: a few generated requests to every operation of the API document. */
interface Operation {
  method: string;
  url: string;
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  body: JsonSchema | null;
}

interface DocumentedOperation {
  parameters?: Operation['parameters'];
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
}

const requestsPerOperation = 6;
const seed = 20_260_703;
let t: IndexedApp;
const operations: Operation[] = [];
let ids: string[] = [];

beforeAll(async () => {
  t = await createIndexedApp({ SVC_AGENTS_ENABLED: 'true', SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
  const library = await t.addLibrary('Generated');
  ids = [library, ...(await t.addItems(library, [{ path: 'a/one.pdf', body: 'some text' }, { path: 'b/two.jpg' }]))];
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
    values (${library}, 'finished', 'done', now(), '{}') returning id`.execute(t.deps.db);
  ids.push(rows[0]!.id);
  await t.waitForIndex();
  const document = (await t.request('GET', '/api/openapi.json')).json() as { paths: Record<string, Record<string, DocumentedOperation>> };
  for (const [url, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      operations.push({
        method: method.toUpperCase(),
        url,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json']?.schema ?? null,
      });
});
afterAll(() => t.close());

/** One request: path and query parameters by name, and a body. */
function requestTo(operation: Operation): fc.Arbitrary<{ url: string; body: unknown }> {
  const id = fc.oneof(fc.constantFrom(...ids), fc.uuid());
  const parameters = operation.parameters.map((parameter) => {
    const isId = parameter.in === 'path' && parameter.schema.format === 'uuid';
    const value = isId
      ? fc.oneof({ weight: 4, arbitrary: id }, { weight: 1, arbitrary: valueFor(parameter.schema) })
      : valueFor(parameter.schema);
    const needed = parameter.required || parameter.in === 'path';
    return (needed ? value : fc.option(value, { nil: undefined })).map((given) => ({ parameter, given }));
  });
  const body = operation.body
    ? fc.oneof({ weight: 5, arbitrary: valueFor(operation.body) }, { weight: 1, arbitrary: fc.jsonValue() })
    : fc.constant(undefined);
  return fc.tuple(fc.tuple(...parameters), body).map(([given, payload]) => ({ url: urlOf(operation.url, given), body: payload }));
}

function urlOf(template: string, given: { parameter: Operation['parameters'][number]; given: unknown }[]): string {
  let url = template;
  const query: string[] = [];
  for (const { parameter, given: value } of given) {
    const texts = (Array.isArray(value) ? value : [value]).map((each) =>
      encode(typeof each === 'string' ? each : (JSON.stringify(each) ?? '')),
    );
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, texts[0] || '%20');
    else if (parameter.in === 'query' && value !== undefined) query.push(...texts.map((text) => `${parameter.name}=${text}`));
  }
  return query.length > 0 ? `${url}?${query.join('&')}` : url;
}

/** encodeURIComponent refuses halves of surrogate pairs. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

test('no generated request gets a 5xx, and every error is a problem document', async () => {
  const failures: string[] = [];
  let requests = 0;
  for (const operation of operations) {
    // Reads of five seconds, and a stream that stays open.
    if (operation.url.endsWith('/fs/count') || operation.url.endsWith('/events')) continue;
    for (const { url, body } of fc.sample(requestTo(operation), { numRuns: requestsPerOperation, seed })) {
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
