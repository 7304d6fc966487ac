import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

export interface TokenRow {
  token_hash: string;
  config_group_names: string[];
  labels: string[];
  hostname: string | null;
  network: string | null;
  requires_approval: boolean;
  expires_at: Date;
  consumed_at: Date | null;
  consumed_by: string | null;
  created_at: Date;
}

export async function listTokens(db: Db, limit: number): Promise<TokenRow[]> {
  const { rows } =
    await sql<TokenRow>`select token_hash, config_group_names, labels, hostname, network::text as network, requires_approval, expires_at, consumed_at,
    consumed_by, created_at from agent_enrollment_tokens order by created_at desc, token_hash limit ${limit}`.execute(db);
  return rows;
}

export async function insertToken(
  db: Db,
  token: Omit<TokenRow, 'consumed_at' | 'consumed_by' | 'created_at'> & { createdBy: string | null },
): Promise<void> {
  await sql`insert into agent_enrollment_tokens (token_hash, config_group_names, labels, hostname, network, requires_approval, expires_at, created_by)
    values (${token.token_hash}, ${token.config_group_names}::text[], ${token.labels}::text[], ${token.hostname}, ${token.network}::cidr, ${token.requires_approval},
      ${token.expires_at}, ${token.createdBy})`.execute(db);
}

/** Locked, so that two machines cannot use one token. `in_network` is null when the token is bound to none. */
export async function lockToken(tx: Db, hash: string, address: string): Promise<(TokenRow & { in_network: boolean | null }) | undefined> {
  const { rows } = await sql<
    TokenRow & { in_network: boolean | null }
  >`select token_hash, config_group_names, labels, hostname, network::text as network,
    requires_approval, expires_at, consumed_at, consumed_by, created_at, ${address}::inet <<= network as in_network
    from agent_enrollment_tokens where token_hash = ${hash} for update`.execute(tx);
  return rows[0];
}

export async function consumeToken(tx: Db, hash: string, agentId: string): Promise<void> {
  await sql`update agent_enrollment_tokens set consumed_at = now(), consumed_by = ${agentId} where token_hash = ${hash}`.execute(tx);
}

export async function findToken(db: Db, hash: string): Promise<{ consumed_at: Date | null } | undefined> {
  const { rows } = await sql<{
    consumed_at: Date | null;
  }>`select consumed_at from agent_enrollment_tokens where token_hash = ${hash}`.execute(db);
  return rows[0];
}

export async function deleteToken(db: Db, hash: string): Promise<void> {
  await sql`delete from agent_enrollment_tokens where token_hash = ${hash}`.execute(db);
}
