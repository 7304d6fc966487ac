import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { createUser } from './accounts.ts';
import { digestOf, hashPassword, newSessionToken } from './credentials.ts';

const invitationDays = 7;

interface Invited {
  username: string;
  global_role: string;
  email?: string | null | undefined;
}

/** Creates an account without a password and the token of a link with which the person chooses one. */
export async function invitePerson(db: Db, input: Invited, actor: Actor): Promise<{ id: string; token: string; expiresAt: Date }> {
  const id = await createUser(db, { ...input, password: null }, actor);
  return { id, ...(await newInvitation(db, id, actor)) };
}

/** A new link for an account that has no password yet; an earlier one stops working. */
export async function renewInvitation(db: Db, id: string, actor: Actor): Promise<{ token: string; expiresAt: Date }> {
  const { rows } = await sql<{
    open: boolean;
  }>`select password_hash is null and auth_provider = 'local' as open from principals where id = ${id}`.execute(db);
  if (!rows[0]) throw notFound('user');
  if (!rows[0].open) throw problem('conflict', 'This account can already be used. Set a new password instead.');
  return newInvitation(db, id, actor);
}

async function newInvitation(db: Db, id: string, actor: Actor): Promise<{ token: string; expiresAt: Date }> {
  const token = newSessionToken();
  const { rows } = await sql<{ expires_at: Date }>`
    insert into invitations (principal_id, token_hash, expires_at) values (${id}, ${digestOf(token)}, now() + make_interval(days => ${invitationDays}))
    on conflict (principal_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at returning expires_at`.execute(
    db,
  );
  await recordEvent(db, { event_type: 'user_invited', principal_id: actor.principalId, ip: actor.ip, details: { user_id: id } });
  return { token, expiresAt: rows[0]?.expires_at ?? new Date() };
}

/** Whom a link is for; null when it is unknown, expired or used. */
export async function findInvitation(db: Db, token: string): Promise<{ id: string; username: string } | null> {
  const { rows } = await sql<{ id: string; username: string }>`
    select p.id, p.username from invitations i join principals p on p.id = i.principal_id
    where i.token_hash = ${digestOf(token)} and i.expires_at > now() and not p.disabled and p.password_hash is null`.execute(db);
  return rows[0] ?? null;
}

/** Sets the password that an invited person chose. The link works once. */
export async function acceptInvitation(db: Db, token: string, password: string, actor: Actor): Promise<string> {
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    const invited = await findInvitation(trx, token);
    const { numAffectedRows } = await sql`delete from invitations where token_hash = ${digestOf(token)} and expires_at > now()`.execute(
      trx,
    );
    if (!invited || numAffectedRows !== 1n) throw invitationInvalid();
    await sql`update principals set password_hash = ${password_hash}, password_changed_at = now(), last_login_at = now(), updated_at = now()
      where id = ${invited.id}`.execute(trx);
    await recordEvent(trx, {
      event_type: 'invitation_accepted',
      principal_id: invited.id,
      ip: actor.ip,
      user_agent: actor.userAgent ?? null,
    });
    return invited.id;
  });
}

export const invitationInvalid = () => problem('not_found', 'This link is not valid any more. Ask an administrator for a new one.');

export async function purgeInvitations(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from invitations where expires_at < now() - interval '30 days'`.execute(db);
  return Number(numAffectedRows ?? 0);
}
