import { type TSchema, Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import type { SignInProviders } from '../identity/index.ts';
import { isForcedOff, presentConfig, readConfig, saveConfig, type Values } from './config.ts';
import { endRemovedDirectories } from './directory-hosts.ts';
import type { LdapConfig, OidcConfig, Provider } from './fields.ts';
import { personNamedByProxy } from './header.ts';
import { ldapCertificateRoute } from './http-certificate.ts';
import { headerRoutes } from './http-header.ts';
import { oidcRoutes } from './http-oidc.ts';
import { createLdapService, type LdapService } from './ldap/service.ts';
import { testLdap } from './ldap/test-configuration.ts';
import { lockoutWarnings } from './lockout.ts';
import { endRemovedProviders } from './oidc/removed.ts';
import { createOidcService, type OidcService } from './oidc/service.ts';
import { testOidc } from './oidc/test-configuration.ts';
import { configIn, configOut, Warnings } from './schemas.ts';
import { validateChange } from './validate.ts';

const tags = ['sign-in providers'];
const config = { scope: 'admin' } as const;

/** The configuration of one provider: read and save. */
function configRoutes(app: App, deps: Dependencies, provider: Provider): void {
  const url = `/auth-config/${provider}`;
  const present = async () => presentConfig(provider, await readConfig(deps, provider));
  app.get(
    url,
    {
      config,
      schema: { tags, summary: `Get the ${provider} configuration and the source of each value`, response: { 200: configOut(provider) } },
    },
    async () => present() as never,
  );
  app.put(
    url,
    {
      config,
      schema: {
        tags,
        summary: `Save values of the ${provider} configuration`,
        description:
          'A saved value overrides the environment; null removes it. A change that would lock people out is refused with `would_lock_out` unless `confirm` is true.',
        querystring: Type.Object({ confirm: Type.Optional(Type.Boolean({ default: false })) }, { additionalProperties: false }),
        body: configIn(provider),
        response: { 200: configOut(provider) },
      },
    },
    async (request) => {
      const change = request.body as Values;
      validateChange(provider, change);
      if (change['enabled'] === true && isForcedOff(deps.settings, provider))
        throw problem('unprocessable', `The environment switches this off. Remove the setting, or set it to true, and restart.`);
      if (!request.query.confirm) {
        const warnings = await lockoutWarnings(deps, provider, change);
        if (warnings.length > 0) throw problem('would_lock_out', warnings.join(' '), { warnings });
      }
      await saveConfig(deps, provider, change, actorOf(request));
      await (provider === 'oidc' ? endRemovedProviders : endRemovedDirectories)(deps, actorOf(request));
      return present() as never;
    },
  );
}

/** A test of unsaved values: `Result` describes what it returns besides ok, error and warnings. */
function testRoute(
  app: App,
  deps: Dependencies,
  provider: Exclude<Provider, 'directory'>,
  Result: Record<string, TSchema>,
  run: (values: Values, body: Values) => Promise<Record<string, unknown>>,
  More: Record<string, TSchema> = {},
): void {
  app.post(
    `/auth-config/${provider}/test`,
    {
      config,
      schema: {
        tags,
        summary: `Test unsaved values of the ${provider} configuration`,
        body: configIn(provider, More),
        response: {
          200: Type.Object({ ok: Type.Boolean(), error: Type.Optional(Type.String()), warnings: Warnings, ...Result }),
        },
      },
    },
    async (request) => {
      const change = request.body as Values;
      const { values } = await readConfig(deps, provider, change);
      return { ...(await run(values, change)), warnings: await lockoutWarnings(deps, provider, change) } as never;
    },
  );
}

export function providerRoutes(app: App, deps: Dependencies, { oidc, ldap }: Services): void {
  configRoutes(app, deps, 'oidc');
  const Endpoint = Type.Optional(Type.String());
  testRoute(
    app,
    deps,
    'oidc',
    {
      issuer: Endpoint,
      authorization_endpoint: Endpoint,
      token_endpoint: Endpoint,
      jwks_uri: Endpoint,
      keys: Type.Optional(Type.Integer()),
    },
    (values) => testOidc(deps, values as unknown as OidcConfig),
  );
  oidcRoutes(app, deps, oidc);
  headerRoutes(app, deps);
  configRoutes(app, deps, 'ldap');
  configRoutes(app, deps, 'directory');
  const Sample = Type.Object({ dn: Type.String(), role: Type.String(), reason: Type.String(), groups: Type.Array(Type.String()) });
  const Count = Type.Optional(Type.Integer());
  const Credential = Type.Optional(Type.String({ maxLength: 1024 }));
  testRoute(
    app,
    deps,
    'ldap',
    { detail: Type.Optional(Type.String()), users: Count, groups: Count, sample: Type.Optional(Sample) },
    (values, { sample_username, sample_password }) =>
      testLdap(deps, ldap, values as unknown as LdapConfig, { username: sample_username as string, password: sample_password as string }),
    { sample_username: Credential, sample_password: Credential },
  );
  ldapCertificateRoute(app, deps);
  app.addHook('onClose', () => ldap.close());
}

/** What the sign-in page and the sign-in route need from the providers. */
interface Services {
  oidc: OidcService;
  ldap: LdapService;
}

export function createSignInProviders(deps: Dependencies): SignInProviders & Services {
  const oidc = createOidcService(deps);
  const ldap = createLdapService(deps);
  return {
    oidc,
    ldap,
    verifyPassword: ldap.verify,
    personNamedByProxy: (request) => personNamedByProxy(deps.settings, request),
    async offered() {
      const providers = await oidc.offered();
      return { oidc: providers.map(({ name, label }) => ({ name, label })), ldap: await ldap.isOffered() };
    },
  };
}
