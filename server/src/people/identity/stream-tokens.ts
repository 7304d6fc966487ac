/**
 * Tokens for event streams of clients that can send neither a header nor a cookie. A token opens one path, once, within a minute. It names the
 * caller who asked for it, whose rights are read when it is used, and it ends with their session or key.
 */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import type { Settings } from '../../settings/index.ts';
import { digestOf, newSessionToken } from './credentials.ts';
import { ownerOf } from './owner.ts';
import { type CredentialHolder, renewPrincipal } from './renew.ts';

export const streamTokenSeconds = 60;

export async function issueStreamToken(db: Db, principal: Principal, path: string): Promise<string> {
  const token = newSessionToken();
  await sql`insert into stream_tokens (token_hash, path, owner, expires_at)
    values (${digestOf(token)}, ${path}, ${JSON.stringify({ ...ownerOf(principal), sessionId: principal.sessionId })}::jsonb, now() + ${streamTokenSeconds} * interval '1 second')`.execute(
    db,
  );
  return token;
}

/** The caller of the token, which cannot be used again. Null when it is unknown, expired, or for another path. */
export async function useStreamToken(db: Db, settings: Settings, token: string, path: string): Promise<Principal | null> {
  const { rows } = await sql<{ owner: CredentialHolder }>`delete from stream_tokens
    where token_hash = ${digestOf(token)} and path = ${path} and expires_at > now() returning owner`.execute(db);
  return rows[0] ? renewPrincipal(db, settings, rows[0].owner) : null;
}

export async function purgeStreamTokens(db: Db): Promise<void> {
  await sql`delete from stream_tokens where expires_at < now()`.execute(db);
}
