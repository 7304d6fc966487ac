import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import type { Settings } from '../../settings/index.ts';
import { type Owner, principalOfOwner } from './owner.ts';
import { isOpenSession } from './sessions.ts';

/** A caller by their credential: a key, or the session of an account. */
export interface CredentialHolder extends Owner {
  sessionId?: string | undefined;
}

/** The caller with the rights of this moment; null when the account, the key or the session has ended since. */
export async function renewPrincipal(db: Db, settings: Settings, holder: CredentialHolder): Promise<Principal | null> {
  const { sessionId } = holder;
  const principal = await principalOfOwner(db, settings, holder);
  if (!principal || !sessionId) return principal;
  return (await isOpenSession(db, settings, sessionId)) ? { ...principal, sessionId } : null;
}
