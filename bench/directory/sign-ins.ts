import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'ldapts';
import type { Row } from '../row.ts';
import { type Latency, latencyOf } from '../search/measurements.ts';

export const perMinute = 500;
/** Sign-ins before the measurement, so that connections are open and the JIT compiler is done. */
const warmUp = 10;

interface SignIns {
  /** Address of the service. */
  url: string;
  directory: string;
  people: readonly { username: string; dn: string; password: string }[];
}

/**
 * Signs everybody in over HTTP twice, 500 a minute whether or not earlier ones have finished; the first time creates the account. Between
 * two sign-ins comes a bare bind of the same person on an open connection, so that other load affects both. A connection carries one bind
 * at a time, because a server drops what is unfinished when the next bind arrives.
 */
export async function signInSteadily({ url, directory, people }: SignIns): Promise<Row> {
  const all: Client[] = [];
  const free: Client[] = [];
  const bind = async (dn: string, password: string): Promise<void> => {
    const client = free.pop() ?? new Client({ url: directory });
    if (!all.includes(client)) all.push(client);
    await client.bind(dn, password);
    free.push(client);
  };
  const [binds, signIns]: [number[], number[]] = [[], []];
  const timed = async (times: number[], work: Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    await work;
    times.push(performance.now() - begun);
  };
  const interval = 60_000 / perMinute;
  const open: Promise<void>[] = [];
  try {
    await Promise.all(people.slice(0, warmUp).map(({ dn, password }) => bind(dn, password)));
    for (const { username, password } of people.slice(0, warmUp)) await signIn(url, username, password);
    const begun = performance.now();
    const until = (at: number): Promise<void> => sleep(Math.max(0, begun + at - performance.now()));
    for (const [n, { username, dn, password }] of [...people, ...people].entries()) {
      await until(n * interval);
      open.push(timed(binds, bind(dn, password)));
      await until((n + 0.5) * interval);
      open.push(timed(signIns, signIn(url, username, password)));
    }
    await Promise.all(open);
  } finally {
    await Promise.all(all.map((client) => client.unbind()));
  }
  return row(latencyOf(signIns), latencyOf(binds), people.length);
}

async function signIn(url: string, username: string, password: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${username} was answered with ${response.status}: ${text.slice(0, 200)}`);
}

function row(signIn: Latency, bind: Latency, people: number): Row {
  const ratio = Math.round((signIn.p95 / bind.p95) * 100) / 100;
  return {
    name: `sign-in over HTTP, ${perMinute} a minute, p95`,
    value: Math.round(signIn.p95 * 100) / 100,
    unit: 'ms',
    peer: `bind alone ${bind.p95.toFixed(2)} ms`,
    ratio,
    limit: 'at most 2 times',
    ok: ratio <= 2,
    detail: `${signIn.count} sign-ins of ${people} people, with account, groups and session; median ${signIn.p50.toFixed(1)} ms, bind ${bind.p50.toFixed(1)} ms`,
  };
}
