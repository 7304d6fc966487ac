import { readFileSync } from 'node:fs';
import os from 'node:os';
import type pg from 'pg';

/** Long work in the background leaves the processors to people who wait for an answer. */
const background = os.constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the CPU priority of the PostgreSQL process behind a connection. This works for a server on the same machine, on Linux; elsewhere the
 * priority stays as it is. Parallel workers are switched off, because they would run with the usual priority.
 */
export async function workInBackground(client: pg.ClientBase): Promise<void> {
  await client.query('set max_parallel_workers_per_gather = 0; set max_parallel_maintenance_workers = 0');
  const { rows } = await client.query<{ pid: number; local: boolean }>(
    'select pg_backend_pid() as pid, inet_server_addr() is null as local',
  );
  const [server] = rows;
  if (!server?.local) return;
  try {
    // A server in a container can report a process id that belongs to another process here.
    if (readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').startsWith('postgres:')) os.setPriority(server.pid, background);
  } catch {
    // Another system, or a server of another user: the work is done with the usual priority.
  }
}

/** Lowers the priority of this process, if it does nothing else. */
export function processInBackground(): void {
  try {
    os.setPriority(background);
  } catch {
    // Not allowed here; nothing depends on it.
  }
}
