import { type TSchema, Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import type { SignInProviders } from '../identity/index.ts';
import { isForcedOff, presentConfig, readConfig, saveConfig, type Values } from './config.ts';
import type { OidcConfig, Provider } from './fields.ts';
import { oidcRoutes } from './http-oidc.ts';
import { lockoutWarnings } from './lockout.ts';
import { createOidcService, type OidcService } from './oidc/service.ts';
import { testOidc } from './oidc/test-configuration.ts';
import { configIn, configOut, Warnings } from './schemas.ts';

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
      if (change['enabled'] === true && isForcedOff(deps.settings, provider))
        throw problem('unprocessable', `The environment switches this off. Remove the setting, or set it to true, and restart.`);
      if (provider !== 'directory' && !request.query.confirm) {
        const warnings = await lockoutWarnings(deps, provider, change);
        if (warnings.length > 0) throw problem('would_lock_out', warnings.join(' '), { warnings });
      }
      await saveConfig(deps, provider, change, actorOf(request));
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
  run: (values: Values) => Promise<Record<string, unknown>>,
): void {
  app.post(
    `/auth-config/${provider}/test`,
    {
      config,
      schema: {
        tags,
        summary: `Test unsaved values of the ${provider} configuration`,
        body: configIn(provider),
        response: {
          200: Type.Object({ ok: Type.Boolean(), error: Type.Optional(Type.String()), warnings: Warnings, ...Result }),
        },
      },
    },
    async (request) => {
      const change = request.body as Values;
      const { values } = await readConfig(deps, provider, change);
      return { ...(await run(values)), warnings: await lockoutWarnings(deps, provider, change) } as never;
    },
  );
}

export function providerRoutes(app: App, deps: Dependencies, oidc: OidcService): void {
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
}

/** What the sign-in page and the sign-in route need from the providers. */
export function createSignInProviders(deps: Dependencies): SignInProviders & { oidc: OidcService } {
  const oidc = createOidcService(deps);
  return {
    oidc,
    async offered() {
      const providers = await oidc.offered();
      return { oidc: providers.map(({ name, label }) => ({ name, label })), ldap: false };
    },
  };
}
