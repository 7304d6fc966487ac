import type { Client } from 'ldapts';
import type { Outbound } from '../outbound/index.ts';
import { closeQuietly, connectDirectory, type DirectoryServer, DirectoryUnavailable, isRefusal, unavailable } from './connection.ts';

export interface PoolOptions {
  /** Servers of one directory in order of preference. */
  servers: readonly DirectoryServer[];
  bindDn: string | null;
  bindPassword: string | null;
  outbound: Outbound;
}

interface Idle {
  client: Client;
  server: DirectoryServer;
  since: number;
}

const maxIdle = 8;
const idleMs = 60_000;
/** How long a server that did not answer is tried only after the others. */
const avoidMs = 30_000;

export interface DirectoryPool {
  /** Runs searches on a connection that is bound as the service account, or anonymously without one. */
  search<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Verifies a password by a bind. Throws the server's refusal, or `DirectoryUnavailable`. */
  verify(dn: string, password: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connections to one directory. Searches and password checks use separate connections, because a bind changes whose connection it is.
 * A connection that broke while it was idle is replaced once. If no server answers, `DirectoryUnavailable` is thrown.
 */
export function createDirectoryPool({ servers, bindDn, bindPassword, outbound }: PoolOptions): DirectoryPool {
  const bound: Idle[] = [];
  const plain: Idle[] = [];
  const failedAt = new Map<string, number>();
  let closed = false;
  const sweeper = setInterval(() => sweep(Date.now()), idleMs / 2);
  sweeper.unref();

  function sweep(now: number): void {
    for (const list of [bound, plain])
      for (const idle of list.filter((each) => now - each.since > idleMs || !each.client.isConnected)) {
        list.splice(list.indexOf(idle), 1);
        void closeQuietly(idle.client);
      }
  }

  const ordered = (): DirectoryServer[] => {
    const now = Date.now();
    const avoided = (server: DirectoryServer): number => (now - (failedAt.get(server.url) ?? 0) < avoidMs ? 1 : 0);
    return servers.toSorted((a, b) => avoided(a) - avoided(b));
  };

  async function open(asService: boolean): Promise<Idle> {
    let last: Error = new DirectoryUnavailable('No directory server is configured.');
    for (const server of ordered()) {
      try {
        const client = await connectDirectory(server, outbound);
        try {
          if (asService && bindDn) await client.bind(bindDn, bindPassword ?? '');
        } catch (error) {
          await closeQuietly(client);
          if (isRefusal(error))
            throw new DirectoryUnavailable(`The directory refuses the service account ${bindDn}. Check its DN and password.`, {
              cause: error,
            });
          throw error;
        }
        failedAt.delete(server.url);
        return { client, server, since: Date.now() };
      } catch (error) {
        failedAt.set(server.url, Date.now());
        last = unavailable(error, hostOf(server));
      }
    }
    throw last;
  }

  async function use<T>(list: Idle[], asService: boolean, work: (client: Client) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let reused = list.pop();
      while (reused && !reused.client.isConnected) {
        void closeQuietly(reused.client);
        reused = list.pop();
      }
      const connection = reused ?? (await open(asService));
      try {
        const result = await work(connection.client);
        keep(list, connection);
        return result;
      } catch (error) {
        if (isRefusal(error)) {
          keep(list, connection);
          throw error;
        }
        await closeQuietly(connection.client);
        if (reused && attempt === 1) continue;
        failedAt.set(connection.server.url, Date.now());
        if (!reused && attempt < servers.length + 1 && servers.length > 1) continue;
        throw unavailable(error, hostOf(connection.server));
      }
    }
  }

  function keep(list: Idle[], connection: Idle): void {
    if (closed || list.length >= maxIdle || !connection.client.isConnected) void closeQuietly(connection.client);
    else list.push({ ...connection, since: Date.now() });
  }

  return {
    search: (work) => use(bound, true, work),
    verify: (dn, password) => use(plain, false, (client) => client.bind(dn, password)),
    async close() {
      closed = true;
      clearInterval(sweeper);
      await Promise.all([...bound.splice(0), ...plain.splice(0)].map(({ client }) => closeQuietly(client)));
    },
  };
}

const hostOf = (server: DirectoryServer): string => URL.parse(server.url)?.host ?? server.url;
