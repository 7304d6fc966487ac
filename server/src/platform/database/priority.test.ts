import os from 'node:os';
import { expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { workInBackground } from './index.ts';

test.runIf(process.platform === 'linux')(
  'a connection for long work has a server process of low priority and no parallel workers',
  async () => {
    const { pool } = await databaseForTest();
    const client = await pool.connect();
    try {
      const { pid, local } = (await client.query('select pg_backend_pid() as pid, inet_server_addr() is null as local')).rows[0];
      expect([local, os.getPriority(pid)]).toEqual([true, 0]);
      await workInBackground(client);
      expect(os.getPriority(pid)).toBe(os.constants.priority.PRIORITY_BELOW_NORMAL);
      expect((await client.query('show max_parallel_workers_per_gather')).rows[0]).toEqual({ max_parallel_workers_per_gather: '0' });
    } finally {
      client.release(true);
    }
  },
);
