import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { connect } from '../database/index.ts';
import { enqueueMany, reap } from './index.ts';
import { listen } from './listener.ts';
import { jobs, startWorker, task, until } from './testing.ts';

/** A proxy to the database that can be made silent: its connections stay open but transfer nothing in either direction. */
async function silenceableProxy(target: string) {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = dial(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from
        .on('error', () => {})
        .on('close', () => {
          open.delete(from);
          to.destroy();
        });
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      for (const socket of open) socket.unpipe().pause();
      return open.size;
    },
  };
}

test('a worker replaces half-open connections and continues', async () => {
  const database = await databaseForTest();
  const { host, port, user, password, database: name } = database.address;
  const proxy = await silenceableProxy(`${host}/.s.PGSQL.${port}`);
  const behind = connect({ host: '127.0.0.1', port: proxy.port, user: user!, password: password!, database: name! });
  onTestFinished(() => behind.close());
  const work = task(async () => {});
  await enqueueMany(database.db, work, [{ n: 1 }]);
  const worker = startWorker(behind, [work], { queryTimeoutSeconds: 3, heartbeatIntervalSeconds: 0.5 });
  // A job whose claim response was lost is requeued by the reaper.
  const ended = async (count: number) => {
    await reap(database.db, { heartbeatSeconds: 5, stallSeconds: 3_600, exemptTasks: [], maxRequeues: 10 });
    expect((await jobs(database)).map(({ state }) => state)).toEqual(Array(count).fill('succeeded'));
  };
  await until(() => ended(1));

  expect(proxy.silence()).toBeGreaterThan(0);
  await enqueueMany(database.db, work, [{ n: 2 }, { n: 3 }]);
  await until(() => ended(3));
  // The job finishes in the database slightly before the worker receives the response.
  await until(() => expect(worker.running()).toBe(0));
  proxy.silence();
  await worker.stop();
});

test('a listener whose connection goes silent while it connects tries again, and can be stopped', async () => {
  let tried = 0;
  const silent = createServer(() => {
    tried += 1;
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, user: 'catalog', password: '', database: 'catalog' };
  const listener = listen({ address, name: 'test', channels: ['any'], onNotice() {}, onConnected() {}, queryTimeoutSeconds: 0.1 });
  await until(() => expect(tried).toBeGreaterThan(1));
  await listener.stop();
});
