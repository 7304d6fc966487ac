import { existsSync, readFileSync } from 'node:fs';
import type { Client } from './client.ts';
import { filesIn, writePrivate } from './config.ts';

/** What the service decides about this agent. Kept on disk, so that the agent starts with it while the service cannot be reached. */
export interface Policy {
  presets: { name: string; patterns: string[] }[];
  exclude_globs: string[];
  include_globs: string[];
  content_hash_max_bytes: number;
  scan_interval_seconds: number | null;
  upload_bytes_per_second: number | null;
  read_bytes_per_second: number | null;
}

interface StoredPolicy {
  etag: string;
  generation: number;
  policy: Policy;
}

/** Null until the service has been reached once: without its rules nothing is scanned. */
export function readPolicy(dataDir: string): StoredPolicy | null {
  const { policy } = filesIn(dataDir);
  return existsSync(policy) ? (JSON.parse(readFileSync(policy, 'utf8')) as StoredPolicy) : null;
}

/** Asks the service for the policy and stores it when it has changed. */
export async function fetchPolicy(client: Client, dataDir: string): Promise<StoredPolicy> {
  const known = readPolicy(dataDir);
  const answer = await client.send('GET', `/policy?applied=${known?.generation ?? 0}`, {
    headers: known ? { 'if-none-match': known.etag } : {},
  });
  if (answer.status === 304 && known) return known;
  const { version, policy } = answer.body as { version: number; policy: Policy };
  const stored = { etag: answer.headers.get('etag') ?? '', generation: version, policy };
  writePrivate(filesIn(dataDir).policy, JSON.stringify(stored));
  return stored;
}
