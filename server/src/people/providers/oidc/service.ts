import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import * as openid from 'openid-client';
import type { Dependencies } from '../../../platform/dependencies.ts';
import { OutboundError } from '../../../platform/outbound/index.ts';
import type { Actor } from '../../../platform/principal.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { connectIdentity, type ProviderPerson, SignInRefused, signInWithProvider } from '../../identity/index.ts';
import { readConfig } from '../config.ts';
import type { OidcConfig } from '../fields.ts';
import { decideRole, rolesByRights } from '../roles.ts';
import { claimAt, textOf, textsOf } from './claims.ts';
import { allowedAlgorithms, createOidcClient, leewaySeconds, type OidcProvider } from './client.ts';
import { findCause, OidcFailure } from './failure.ts';
import { insertSignIn, takeSignIn } from './sign-in-store.ts';

const stateMinutes = 10;
export const tokenPrefix = 'oidc-session/';

type Claims = Readonly<Record<string, unknown>>;
interface Tokens {
  idToken: string;
  claims: Claims;
  /** Those of the sign-in, where a refresh brought no ID token. */
  earlier?: Claims;
  accessToken: string;
  refreshToken: string | null;
}

export type OidcService = ReturnType<typeof createOidcService>;

export function createOidcService(deps: Pick<Dependencies, 'db' | 'settings' | 'log'>, client = createOidcClient(deps)) {
  const { db, settings, log } = deps;
  const secrets = createSecrets(settings);

  async function configured(): Promise<OidcConfig> {
    return (await readConfig(deps, 'oidc')).values as unknown as OidcConfig;
  }

  /** The providers that are switched on and complete. */
  async function offered(): Promise<OidcProvider[]> {
    return settings.authEnabled ? providersOf(await configured()) : [];
  }

  async function requireProvider(name: string): Promise<{ provider: OidcProvider; config: OidcConfig }> {
    const config = await configured();
    const provider = settings.authEnabled ? providersOf(config).find((each) => each.name === name) : undefined;
    if (!provider) throw new OidcFailure('not_configured', `No OpenID provider is named ${name}.`);
    return { provider, config };
  }

  /** The provider that opened a session, also when it has got another name since. */
  async function providerOfSession(session: {
    provider_name: string;
    issuer: string;
  }): Promise<{ provider: OidcProvider; config: OidcConfig }> {
    const same = (await offered()).filter(({ issuer }) => issuer === session.issuer);
    const { name } = same.find((each) => each.name === session.provider_name) ?? same[0] ?? { name: session.provider_name };
    return requireProvider(name);
  }

  /** Starts a sign-in of a browser; returns the address at the provider. */
  async function start(input: { name: string; browser: string; returnTo: string; redirectUri: string; connectTo?: string }): Promise<URL> {
    const { provider, config } = await requireProvider(input.name);
    const configuration = await client.configuration(provider);
    const state = randomBytes(32).toString('base64url');
    const nonce = randomBytes(32).toString('base64url');
    const code_verifier = openid.randomPKCECodeVerifier();
    const redirect_uri = config.redirect_uri ?? input.redirectUri;
    await insertSignIn(db, {
      state_hash: hash('sha256', state),
      browser_hash: hash('sha256', input.browser),
      provider_name: provider.name,
      nonce,
      code_verifier,
      redirect_uri,
      return_to: input.returnTo,
      link_principal_id: input.connectTo ?? null,
      minutes: stateMinutes,
    });
    return openid.buildAuthorizationUrl(configuration, {
      redirect_uri,
      scope: [...new Set(['openid', ...config.scopes])].join(' '),
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
    });
  }

  /** Completes a sign-in from the query of the callback. */
  async function complete(query: URLSearchParams, browser: string | undefined, actor: Actor) {
    const state = query.get('state');
    if (!state || !browser) throw new OidcFailure('bad_state', 'The answer belongs to no sign-in of this browser.');
    const started = await takeSignIn(db, hash('sha256', state), hash('sha256', browser));
    if (!started) throw new OidcFailure('bad_state', 'The answer belongs to no sign-in of this browser, or was used before.');
    if (started.expired) throw new OidcFailure('expired_state', 'The sign-in took longer than 10 minutes.');
    const { provider, config } = await requireProvider(started.provider_name);
    if (query.has('error'))
      throw new OidcFailure(
        query.get('error') === 'access_denied' ? 'access_denied' : 'provider_error',
        `The provider answered ${query.get('error')?.slice(0, 100)}.`,
      );
    if (!query.get('code')) throw new OidcFailure('missing_code', 'The answer of the provider has no code.');
    const url = new URL(started.redirect_uri);
    url.search = query.toString();
    const tokens = await exchange(provider, url, { state, nonce: started.nonce, verifier: started.code_verifier });
    const person = await describePerson(provider, config, tokens);
    if (started.link_principal_id !== null) {
      if (!(await connectIdentity(db, started.link_principal_id, person, actor)))
        throw new OidcFailure('already_connected', `${person.subject} belongs to another account.`);
      return { connected: true as const, returnTo: started.return_to };
    }
    const policy = { autoProvision: config.auto_provision, linkByEmail: config.link_by_email };
    try {
      const signedIn = await signInWithProvider(db, person, policy, actor, {
        providerName: provider.name,
        providerSession: textOf(tokens.claims['sid']),
      });
      await keepTokens(signedIn.sessionId, tokens);
      return { ...signedIn, connected: false as const, returnTo: started.return_to };
    } catch (error) {
      if (error instanceof SignInRefused)
        throw new OidcFailure(error.reason, `The account of ${person.subject} is refused: ${error.reason}.`);
      throw error;
    }
  }

  /**
   * Exchanges the code. The provider may have replaced its keys since they were read; then the same response is verified once more with
   * the keys of now, because a code can be exchanged only once.
   */
  async function exchange(provider: OidcProvider, url: URL, checks: { state: string; nonce: string; verifier: string }): Promise<Tokens> {
    let kept: { url: string; status: number; body: string; headers: Headers } | null = null;
    const fetch: openid.CustomFetch = async (target, options) => {
      const isToken = options.method === 'POST';
      if (isToken && kept) return new Response(kept.body, { status: kept.status, headers: kept.headers });
      const response = await client.fetch(target, options);
      if (!isToken) return response;
      const body = await response.text();
      kept = { url: target, status: response.status, body, headers: response.headers };
      requireAllowedAlgorithm(body);
      return new Response(body, { status: response.status, headers: response.headers });
    };
    const attempt = async (fresh: boolean) => {
      const configuration = await client.configuration(provider, { fresh, fetch });
      const response = await openid.authorizationCodeGrant(configuration, url, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      });
      client.keepKeys(provider, configuration);
      return response;
    };
    try {
      const response = await attempt(false).catch((error: unknown) => {
        if (kept === null || !isUnknownKey(error)) throw error;
        return attempt(true);
      });
      const claims = response.claims() as Claims | undefined;
      if (!response.id_token || !claims) throw new OidcFailure('no_id_token', 'The token response has no ID token.');
      verifyClaims(provider, claims, response.id_token, response.access_token);
      return { idToken: response.id_token, claims, accessToken: response.access_token, refreshToken: response.refresh_token ?? null };
    } catch (error) {
      throw exchangeFailure(error, kept);
    }
  }

  /** Role, groups and names by the claims of the ID token, completed by the userinfo endpoint where the token does not have them. */
  async function describePerson(provider: OidcProvider, config: OidcConfig, tokens: Tokens): Promise<ProviderPerson> {
    const roleClaim = config.role_claim ?? config.group_claim;
    const wanted = [config.group_claim, roleClaim, config.username_claim, 'email'];
    const complete = wanted.every((name) => claimAt(tokens.claims, name) !== undefined);
    const claims = complete ? tokens.claims : { ...tokens.earlier, ...(await userInfo(provider, tokens)), ...tokens.claims };
    const role = decideRole(
      await rolesByRights(db),
      [...textsOf(claimAt(claims, roleClaim)), ...textsOf(claimAt(claims, config.group_claim))],
      config,
      `claim ${roleClaim} =`,
    );
    if (!role) throw new OidcFailure('no_role', `No claim of ${String(claims['sub'])} gives a role, and the default role refuses people.`);
    const email = textOf(claims['email']);
    return {
      provider: 'oidc',
      issuer: provider.issuer,
      subject: String(claims['sub']),
      username: textOf(claimAt(claims, config.username_claim)) ?? '',
      email,
      verifiedEmail: claims['email_verified'] === true ? email : null,
      displayName: textOf(claims['name'])?.slice(0, 120) ?? null,
      role,
      groups: textsOf(claimAt(claims, config.group_claim)).map((name) => ({ id: name, name })),
    };
  }

  async function userInfo(provider: OidcProvider, tokens: Tokens): Promise<Claims> {
    const configuration = await client.configuration(provider);
    if (!configuration.serverMetadata().userinfo_endpoint) return {};
    try {
      return (await openid.fetchUserInfo(configuration, tokens.accessToken, String(tokens.claims['sub']))) as Claims;
    } catch (error) {
      // The answer must not be about another person, so a failure ends the sign-in instead of continuing with fewer groups.
      throw new OidcFailure('bad_response', 'The userinfo endpoint gave no usable answer.', { cause: error });
    }
  }

  /** Refresh and ID token are kept encrypted, for the refresh of rights and for signing out at the provider. */
  async function keepTokens(sessionId: string, { refreshToken, idToken }: Tokens): Promise<void> {
    try {
      secrets.requireKey();
    } catch {
      log.debug('Tokens of OpenID sessions are not kept because no secret key is set.');
      return;
    }
    await secrets.write(db, `${tokenPrefix}${sessionId}`, JSON.stringify({ refreshToken, idToken }));
  }

  return { offered, requireProvider, providerOfSession, start, complete, describePerson, keepTokens, client };
}

export function providersOf(config: OidcConfig): OidcProvider[] {
  if (!config.enabled) return [];
  const main =
    config.issuer && config.client_id
      ? [{ name: 'default', label: config.label, issuer: config.issuer, clientId: config.client_id, clientSecret: config.client_secret }]
      : [];
  const more = config.providers.flatMap(({ name, label, issuer, client_id, client_secret }) =>
    name && issuer && client_id && name !== 'default'
      ? [{ name, label: label || name, issuer, clientId: client_id, clientSecret: client_secret || null }]
      : [],
  );
  return [...main, ...more];
}

function requireAllowedAlgorithm(tokenResponse: string): void {
  let header: unknown;
  try {
    const { id_token } = JSON.parse(tokenResponse) as { id_token?: unknown };
    if (typeof id_token !== 'string') return;
    header = JSON.parse(Buffer.from(id_token.split('.')[0] ?? '', 'base64url').toString('utf8'));
  } catch {
    // The protocol library reports malformed responses.
    return;
  }
  const { alg } = Object(header) as { alg?: unknown };
  if (typeof alg !== 'string' || !allowedAlgorithms.test(alg))
    throw new OidcFailure('no_supported_alg', `The ID token is signed with ${String(alg).slice(0, 20)}.`);
}

/** Checks that the protocol library leaves to the caller. */
function verifyClaims(provider: OidcProvider, claims: Claims, idToken: string, accessToken: string): void {
  const refuse = (message: string): never => {
    throw new OidcFailure('invalid_id_token', message);
  };
  if (typeof claims['sub'] !== 'string' || claims['sub'] === '' || claims['sub'].length > 255)
    throw new OidcFailure('no_subject', 'The ID token names no subject.');
  if (claims['iss'] !== provider.issuer) refuse('The ID token is of another issuer.');
  if (claims['azp'] !== undefined && claims['azp'] !== provider.clientId) refuse('The ID token was issued for another client.');
  const now = Date.now() / 1000;
  if (typeof claims['iat'] !== 'number' || claims['iat'] > now + leewaySeconds) refuse('The ID token was issued in the future.');
  const atHash = claims['at_hash'];
  if (atHash !== undefined && !matchesAtHash(idToken, accessToken, String(atHash)))
    refuse('The access token does not belong to the ID token.');
}

/** The left half of the hash of the access token, with the hash function of the token's signature. */
function matchesAtHash(idToken: string, accessToken: string, atHash: string): boolean {
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString('utf8')) as { alg: string };
  const bits = /(256|384|512)$/.exec(alg)?.[1] ?? '512';
  const digest = hash(`sha${bits}`, accessToken, 'buffer');
  const expected = digest.subarray(0, digest.length / 2);
  const given = Buffer.from(atHash, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function isUnknownKey(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (/no applicable keys found|JWS signature verification failed/.test(each.message)) return true;
  return false;
}

function exchangeFailure(error: unknown, answered: unknown): Error {
  const own = findCause(error, OidcFailure);
  if (own) return own;
  if (!(error instanceof Error)) return new Error(String(error));
  const outbound = findCause(error, OutboundError);
  if (outbound) return new OidcFailure('fetch_failed', outbound.message, { cause: error });
  const text = [error.message, error.cause instanceof Error ? error.cause.message : ''].join(' ');
  if (error instanceof openid.AuthorizationResponseError) return new OidcFailure('provider_error', text, { cause: error });
  if (answered === null)
    return new OidcFailure('bad_response', `The answer of the provider is not valid: ${text.slice(0, 300)}`, { cause: error });
  if (error instanceof openid.ResponseBodyError)
    return new OidcFailure('token_exchange_failed', `The provider refused the code: ${error.error}.`, { cause: error });
  if (/"?id_token"?.*(missing|must be)|missing.*id_token/i.test(text))
    return new OidcFailure('no_id_token', 'The token response has no ID token.', { cause: error });
  if (
    /unexpected HTTP (response )?status|not a conform Token|content-type|must be a (JSON|non-empty)|failed to parse|access_token|token_type/i.test(
      text,
    ) &&
    !/JWT|JWS/.test(text)
  )
    return new OidcFailure('token_exchange_failed', text.slice(0, 300), { cause: error });
  return new OidcFailure('invalid_id_token', text.slice(0, 300), { cause: error });
}
