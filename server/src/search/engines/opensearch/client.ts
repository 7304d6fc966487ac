import { setTimeout as sleep } from 'node:timers/promises';
import { SearchUnavailable } from '../port.ts';

/** The answer of a node: any status below 500 except 429, which is retried. */
export interface NodeResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: every caller checks the parts it uses
  body: any;
}

interface Call {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON; a string is sent unchanged as newline-delimited JSON. */
  body?: unknown;
  timeoutMs?: number;
  /** Sent to one node only, because the cluster goes on with it after the timeout. */
  once?: boolean;
}

export type Cluster = (path: string, call?: Call) => Promise<NodeResponse>;

interface ClusterOptions {
  /** Addresses of nodes of one cluster. The first that answers is used until it fails. */
  nodes: readonly string[];
  /** `user:password` for basic authentication. */
  credentials?: string;
  timeoutMs: number;
  /** Rounds over all nodes before a request fails (default 3). */
  attempts?: number;
}

/**
 * Sends requests to a cluster. All requests of the adapter can be repeated, so a request that a node did not answer, or refused because it is
 * overloaded, goes to the next node; after each round over all nodes there is a growing pause.
 */
export function connectCluster({ nodes, credentials, timeoutMs, attempts = 3 }: ClusterOptions): Cluster {
  const headers = credentials ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : {};
  let current = 0;
  return async (path, { method = 'GET', body, timeoutMs: own = timeoutMs, once = false } = {}) => {
    let failure = '';
    for (let attempt = 0; attempt < (once ? 1 : attempts * nodes.length); attempt++) {
      if (attempt > 0 && attempt % nodes.length === 0) await sleep(Math.min(2000, 100 * 2 ** (attempt / nodes.length)));
      const node = nodes[current % nodes.length] as string;
      try {
        const response = await fetch(`${node.replace(/\/+$/, '')}${path}`, {
          method,
          headers: {
            ...headers,
            ...(body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          redirect: 'error',
          signal: AbortSignal.timeout(own),
        });
        const text = await response.text();
        if (response.status < 500 && response.status !== 429)
          return { status: response.status, body: method === 'HEAD' || text === '' ? {} : parsed(text) };
        failure = `${new URL(node).host} answered ${response.status}: ${reasonOf(text)}`;
        // An internal error is a defect, which waiting does not cure; another node may not have it.
        if (response.status === 500 && attempt >= nodes.length - 1) break;
      } catch (error) {
        if (error instanceof SearchUnavailable) throw error;
        const { message, cause } = error as Error;
        failure = `${new URL(node).host} did not answer: ${cause instanceof Error ? cause.message || cause.name : message}`;
      }
      current += 1;
    }
    throw new SearchUnavailable(`The search cluster failed: ${failure}`, false);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SearchUnavailable('The search server returned something other than JSON. Check SVC_SEARCH_URL.', false);
  }
}

function reasonOf(text: string): string {
  try {
    return explain(JSON.parse(text));
  } catch {
    return text.slice(0, 200);
  }
}

/** The server's own words for an error. */
// biome-ignore lint/suspicious/noExplicitAny: the shape of an error is not guaranteed
function explain(body: any): string {
  const error = body?.error;
  return String(error?.root_cause?.[0]?.reason ?? error?.reason ?? error ?? JSON.stringify(body)).slice(0, 300);
}

/**
 * Whether every shard answered. The server does not count a shard as failed whose only copy was on a node that has just been lost: the
 * response merely has fewer successful shards than there are.
 */
export function isFromAllShards(body: { _shards?: { total?: number; successful?: number; failed?: number } } | undefined): boolean {
  const { total, successful, failed } = body?._shards ?? {};
  return failed === 0 && successful === total;
}

/** Throws unless the request succeeded. A missing index or alias needs a rebuild. */
export function requireOk({ status, body }: NodeResponse): void {
  if (status < 300) return;
  const missing = status === 404 && /index_not_found|alias/.test(JSON.stringify(body ?? ''));
  throw new SearchUnavailable(
    missing ? 'The search cluster has no index.' : `The search cluster refused a request (${status}): ${explain(body)}`,
    missing,
  );
}
