import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp } from '../../../test/app.ts';

test('a process that stops is reported as not ready while it still serves requests, and only then stops listening', async () => {
  const t = await createTestApp({ SVC_STOP_DELAY_SECONDS: '1' });
  onTestFinished(() => t.close());
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = t.app.server.address() as AddressInfo;
  const get = (path: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined; body: string }>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: `/api/v1${path}`, agent: false }, (response) => {
        let body = '';
        response.on('data', (part) => (body += part));
        response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection, body }));
      });
      sent.on('error', reject).end();
    });
  expect(await get('/ready')).toMatchObject({ status: 200, body: '{"status":"ready"}' });

  const closed = t.app.close();
  const notReady = await get('/ready');
  expect([notReady.status, JSON.parse(notReady.body).code]).toEqual([503, 'stopping']);
  expect(await get('/health')).toMatchObject({ status: 200, connection: 'close' });
  expect((await get('/libraries')).status).toBe(401);
  await closed;
  await expect(get('/health')).rejects.toThrow('ECONNREFUSED');
});

test('the delay must leave time for running requests', async () => {
  await expect(createTestApp({ SVC_STOP_DELAY_SECONDS: '30', SVC_STOP_GRACE_SECONDS: '60' })).rejects.toThrow('at most a third');
});
