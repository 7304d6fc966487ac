import { decodeJwt } from 'jose';
import * as openid from 'openid-client';
import type { Dependencies } from '../../../platform/dependencies.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { refreshProviderRights } from '../../identity/index.ts';
import { OidcFailure } from './failure.ts';
import { createOidcService, tokenPrefix } from './service.ts';
import { endSession, listOrphanedTokens, listStaleSessions, type OidcSession, stampRightsChecked } from './sign-in-store.ts';

const everyMinutes = 30;
const batch = 200;
/**
 * After this many failures in a row the other sessions of a provider wait for the next run, instead of one timeout each. They come first then,
 * so that sessions that fail for a reason of their own do not keep them waiting for good.
 */
const patience = 5;

/**
 * Reads role and groups of long sessions again with their refresh tokens. A session ends when the provider no longer accepts the token or
 * the person no longer has a role. An outage of the provider changes nothing.
 */
export async function refreshOidcSessions(
  deps: Pick<Dependencies, 'db' | 'settings' | 'log'>,
  service = createOidcService(deps),
): Promise<number> {
  const { db, settings, log } = deps;
  const secrets = createSecrets(settings);
  for (const name of await listOrphanedTokens(db, tokenPrefix)) await secrets.remove(db, name);
  let ended = 0;
  const failures = new Map<string, number>();
  for (;;) {
    const isWaiting = (name: string): boolean => (failures.get(name) ?? 0) >= patience;
    const sessions = await listStaleSessions(db, everyMinutes, batch, [...failures.keys()].filter(isWaiting));
    for (const session of sessions) {
      const { provider_name: name } = session;
      if (isWaiting(name)) continue;
      await stampRightsChecked(db, session.id);
      const outcome = await refreshOne(session).catch((error: unknown) => {
        log.warning('The rights of an OpenID session could not be refreshed.', { error });
        return 'failed' as const;
      });
      failures.set(name, outcome === 'failed' ? (failures.get(name) ?? 0) + 1 : 0);
      if (outcome !== 'end') continue;
      await endSession(db, session.id);
      await secrets.remove(db, `${tokenPrefix}${session.id}`);
      ended += 1;
    }
    if (sessions.length < batch) return ended;
  }

  async function refreshOne(session: OidcSession): Promise<'kept' | 'end'> {
    const stored = await secrets.read(db, `${tokenPrefix}${session.id}`);
    const kept = stored ? (JSON.parse(stored) as { refreshToken: string | null; idToken: string }) : null;
    if (!kept?.refreshToken) return 'kept';
    const { provider, config } = await service.providerOfSession(session);
    if (provider.issuer !== session.issuer) return 'kept';
    const configuration = await service.client.configuration(provider);
    let response: Awaited<ReturnType<typeof openid.refreshTokenGrant>>;
    try {
      response = await openid.refreshTokenGrant(configuration, kept.refreshToken);
    } catch (error) {
      if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return 'end';
      throw error;
    }
    const given = response.claims();
    const claims = given ?? { sub: session.subject };
    if (claims.sub !== session.subject) return 'end';
    const tokens = {
      idToken: response.id_token ?? kept.idToken,
      claims: { ...claims },
      // Providers may leave out the ID token. What only it tells, such as groups, is then as it was, and not gone.
      ...(given ? {} : { earlier: decodeJwt(kept.idToken) }),
      accessToken: response.access_token,
      refreshToken: response.refresh_token ?? kept.refreshToken,
    };
    await service.keepTokens(session.id, tokens);
    try {
      return (await refreshProviderRights(db, await service.describePerson(provider, config, tokens), session.principal_id))
        ? 'kept'
        : 'end';
    } catch (error) {
      if (error instanceof OidcFailure && error.reason === 'no_role') return 'end';
      throw error;
    }
  }
}
