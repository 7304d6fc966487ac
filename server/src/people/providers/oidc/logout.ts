import { hash } from 'node:crypto';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import type { Dependencies } from '../../../platform/dependencies.ts';
import { problem } from '../../../platform/problem.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { recordEvent } from '../../audit/index.ts';
import { leewaySeconds, type OidcProvider } from './client.ts';
import { type OidcService, tokenPrefix } from './service.ts';
import { endProviderSessions, findOidcSession, rememberLogoutToken } from './sign-in-store.ts';

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

export function createOidcLogout({ db, settings, log }: Pick<Dependencies, 'db' | 'settings' | 'log'>, service: OidcService) {
  const secrets = createSecrets(settings);

  /** The address that ends the session at the provider as well; null when the session is not of a provider or the provider offers none. */
  async function providerLogoutUrl(sessionId: string, returnTo: string): Promise<string | null> {
    const session = await findOidcSession(db, sessionId);
    if (!session) return null;
    try {
      const { provider } = await service.providerOfSession(session);
      const configuration = await service.client.configuration(provider);
      if (!configuration.serverMetadata().end_session_endpoint) return null;
      const stored = await secrets.read(db, `${tokenPrefix}${sessionId}`);
      const idToken = stored ? (JSON.parse(stored) as { idToken?: string }).idToken : undefined;
      return openid.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: returnTo,
        ...(idToken ? { id_token_hint: idToken } : {}),
      }).href;
    } catch (error) {
      // The session here ends in any case; only the provider's own page is not opened.
      log.warning('The provider’s sign-out page cannot be opened.', { error });
      return null;
    }
  }

  /** Ends the sessions that a logout token names. Throws a problem when the token is not valid. */
  async function backChannelLogout(token: string, name: string): Promise<number> {
    const { provider } = await service.requireProvider(name);
    const claims = await verifyLogoutToken(provider, token);
    const subject = typeof claims.sub === 'string' ? claims.sub : null;
    const providerSession = typeof claims['sid'] === 'string' ? claims['sid'] : null;
    return db.transaction().execute(async (trx) => {
      const seconds = Math.max(60, (claims.exp ?? 0) - Date.now() / 1000 + leewaySeconds);
      if (!(await rememberLogoutToken(trx, hash('sha256', `${provider.issuer} ${claims.jti}`), seconds)))
        throw invalid('The token was used before.');
      const ended = await endProviderSessions(trx, provider.issuer, { subject, providerSession });
      for (const principal_id of new Set(ended.map((session) => session.principal_id)))
        await recordEvent(trx, {
          event_type: 'session_revoked',
          principal_id,
          details: { by: 'provider', issuer: provider.issuer, ended: ended.length },
        });
      return ended.length;
    });
  }

  async function verifyLogoutToken(provider: OidcProvider, token: string): Promise<JWTPayload> {
    const payload = await verifyWithKeys(provider, token, false)
      .catch((error: unknown) => {
        if (error instanceof errors.JWKSNoMatchingKey) return verifyWithKeys(provider, token, true);
        throw error;
      })
      .catch((error: unknown) => {
        if (error instanceof errors.JOSEError) throw invalid(error.message);
        throw error;
      });
    const { events, nonce, jti, iat, sub, sid } = payload as JWTPayload & { events?: unknown; nonce?: unknown; sid?: unknown };
    if (typeof jti !== 'string' || jti === '') throw invalid('jti is missing.');
    if (typeof iat !== 'number' || iat > Date.now() / 1000 + leewaySeconds) throw invalid('iat is missing or in the future.');
    if (nonce !== undefined) throw invalid('A logout token has no nonce.');
    const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[logoutEvent] : undefined;
    if (typeof event !== 'object' || event === null) throw invalid('The logout event is missing.');
    if (typeof sub !== 'string' && typeof sid !== 'string') throw invalid('Neither sub nor sid is given.');
    return payload;
  }

  async function verifyWithKeys(provider: OidcProvider, token: string, fresh: boolean): Promise<JWTPayload> {
    const configuration = await service.client.configuration(provider, { fresh });
    const response = await service.client.fetch(configuration.serverMetadata().jwks_uri ?? '', {
      method: 'GET',
      headers: {},
      body: undefined,
      redirect: 'manual',
    });
    const keys = createLocalJWKSet((await response.json()) as JSONWebKeySet);
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms,
      clockTolerance: leewaySeconds,
      requiredClaims: ['iat', 'exp', 'jti'],
    });
    const { typ } = protectedHeader;
    if (typ !== undefined && !/^(application\/)?logout\+jwt$|^JWT$/i.test(typ)) throw invalid('typ is not logout+jwt.');
    return payload;
  }

  return { providerLogoutUrl, backChannelLogout };
}

const invalid = (reason: string) => problem('bad_request', `The logout token is not valid. ${reason}`);
