import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider';

export interface ProviderAccount {
  sub: string;
  claims: Record<string, unknown>;
}

export interface OpenIdProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Who is signed in at the provider: everybody who arrives is this person. */
  account: ProviderAccount;
  /** Answers 503 to everything while true. */
  offline: boolean;
  /** Signs with a new key from now on, and no longer publishes the old one. */
  rotateKeys(): void;
  /** Follows an authorization URL as a browser does; returns the callback URL that the provider redirects to. */
  visit(authorizationUrl: string): Promise<URL>;
  close(): Promise<void>;
}

const newKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  use: 'sig',
  alg: 'RS256',
});

/** A real OpenID provider on a loopback port that approves everything. */
export async function startOpenIdProvider(redirectUri: string, options: { backchannelLogoutUri?: string } = {}): Promise<OpenIdProvider> {
  const client = { clientId: 'catalog', clientSecret: 'a secret of thirty-two characters!' };
  let account: ProviderAccount = { sub: 'person-1', claims: {} };
  const { createServer } = await import('node:http');
  let handler: ReturnType<Provider['callback']>;
  let offline = false;
  const server: Server = createServer((request, response) => {
    if (offline) response.writeHead(503).end();
    else void handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration = (): Configuration => ({
    jwks: { keys: [newKey() as never] },
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [new URL('/', redirectUri).href],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        ...(options.backchannelLogoutUri
          ? { backchannel_logout_uri: options.backchannelLogoutUri, backchannel_logout_session_required: true }
          : {}),
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'name', 'groups', 'realm_access'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true }, backchannelLogout: { enabled: true } },
    cookies: { keys: ['a', 'b'] },
    ttl: { Session: 3600, Grant: 3600, Interaction: 3600, AccessToken: 3600, IdToken: 3600, RefreshToken: 3600, AuthorizationCode: 60 },
    issueRefreshToken: async () => true,
    fetch: (url, init) => globalThis.fetch(url, init as RequestInit),
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...account.claims, sub }) as never }),
    loadExistingGrant: async (context: KoaContextWithOIDC) => {
      const grant = new context.oidc.provider.Grant({ clientId: client.clientId, accountId: context.oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid profile email offline_access');
      await grant.save();
      return grant;
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  });
  const start = (): void => {
    const provider = new Provider(issuer, configuration());
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) return next();
      await provider.interactionFinished(context.req, context.res, { login: { accountId: account.sub } });
      context.respond = false;
    });
    handler = provider.callback();
  };
  start();
  return {
    issuer,
    ...client,
    get account() {
      return account;
    },
    set account(next) {
      account = next;
    },
    get offline() {
      return offline;
    },
    set offline(next) {
      offline = next;
    },
    rotateKeys: start,
    async visit(authorizationUrl) {
      const cookies = new Map<string, string>();
      for (let url = authorizationUrl, hop = 0; hop < 12; hop++) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get('location');
        if (!location) throw new Error(`${response.status} of ${url}: ${(await response.text()).slice(0, 500)}`);
        const next = new URL(location, url);
        if (next.href.startsWith(redirectUri)) return next;
        url = next.href;
      }
      throw new Error('The provider redirects for ever.');
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
