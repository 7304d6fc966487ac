import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

type Json = Record<string, unknown>;

/** What one case changes. Everything else is a correct provider. */
export interface Hostility {
  discovery?: (correct: Json) => unknown;
  discoveryText?: string;
  discoveryStatus?: number;
  keys?: (correct: Json[]) => unknown;
  header?: (correct: Json) => Json;
  claims?: (correct: Json) => Json;
  /** Changes the signed token. */
  idToken?: (signed: string) => unknown;
  signWith?: 'own key' | 'foreign key' | 'client secret';
  tokenStatus?: number;
  token?: (correct: Json) => unknown;
  tokenText?: string;
  userinfo?: (correct: Json) => unknown;
  /** Changes the query of the redirect to the callback. */
  redirect?: (query: URLSearchParams) => void;
}

/** A provider written by hand, because a real one refuses to misbehave. */
export async function startHostileProvider(clientId: string, clientSecret: string) {
  const own = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig', alg: 'RS256' };
  let hostility: Hostility = {};
  let nonce = '';
  let tokenRequests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer(new URL(request.url ?? '/', issuer)).then(
        ({ status = 200, body }) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(typeof body === 'string' ? body : JSON.stringify(body));
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(url: URL): Promise<{ status?: number; body: unknown }> {
    if (url.pathname === '/.well-known/openid-configuration') {
      if (hostility.discoveryText !== undefined) return { status: hostility.discoveryStatus ?? 200, body: hostility.discoveryText };
      const correct = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        userinfo_endpoint: `${issuer}/userinfo`,
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
      };
      return { status: hostility.discoveryStatus ?? 200, body: hostility.discovery?.(correct) ?? correct };
    }
    if (url.pathname === '/keys') return { body: { keys: hostility.keys?.([jwk]) ?? [jwk] } };
    if (url.pathname === '/token') {
      tokenRequests += 1;
      if (hostility.tokenText !== undefined) return { status: hostility.tokenStatus ?? 200, body: hostility.tokenText };
      const correct: Json = { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: await idToken() };
      return { status: hostility.tokenStatus ?? 200, body: hostility.token?.(correct) ?? correct };
    }
    if (url.pathname === '/userinfo') {
      const correct = { sub: 'person', groups: ['staff'] };
      return { body: hostility.userinfo?.(correct) ?? correct };
    }
    return { status: 404, body: {} };
  }

  async function idToken(): Promise<unknown> {
    const now = Math.floor(Date.now() / 1000);
    const correct: Json = {
      iss: issuer,
      sub: 'person',
      aud: clientId,
      iat: now,
      exp: now + 300,
      nonce,
      preferred_username: 'person',
      email: 'p@example.org',
    };
    const claims = hostility.claims?.(correct) ?? correct;
    const header = hostility.header?.({ alg: 'RS256', kid: 'one' }) ?? { alg: 'RS256', kid: 'one' };
    const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
    if (header['alg'] === 'none') return `${encode(header)}.${encode(claims)}.`;
    const secret = new TextEncoder().encode(clientSecret.padEnd(32));
    const key =
      hostility.signWith === 'foreign key' ? foreign.privateKey : hostility.signWith === 'client secret' ? secret : own.privateKey;
    const signed = await new SignJWT(claims as JWTPayload).setProtectedHeader(header as { alg: string }).sign(key);
    return hostility.idToken ? hostility.idToken(signed) : signed;
  }

  return {
    issuer,
    get tokenRequests() {
      return tokenRequests;
    },
    misbehave(next: Hostility) {
      hostility = next;
    },
    /** What the browser would be redirected to. */
    redirectOf(authorizationUrl: string): URL {
      const asked = new URL(authorizationUrl).searchParams;
      nonce = asked.get('nonce') ?? '';
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code: 'code', state: asked.get('state') ?? '', iss: issuer }).toString();
      hostility.redirect?.(back.searchParams);
      return back;
    },
    /** A logout token signed with the provider's key. */
    async logoutToken(
      claims: Json,
      header: Json = { alg: 'RS256', kid: 'one', typ: 'logout+jwt' },
      key: 'own' | 'foreign' = 'own',
    ): Promise<string> {
      const now = Math.floor(Date.now() / 1000);
      const correct = {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + 120,
        jti: `${Math.random()}`,
        sub: 'person',
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      };
      const all = Object.fromEntries(Object.entries({ ...correct, ...claims }).filter(([, value]) => value !== undefined));
      return new SignJWT(all as JWTPayload).setProtectedHeader(header as { alg: string }).sign((key === 'own' ? own : foreign).privateKey);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
