import type { Dependencies } from '../../../platform/dependencies.ts';
import type { OidcConfig } from '../fields.ts';
import { createOidcClient } from './client.ts';
import { OidcFailure } from './failure.ts';
import { providersOf } from './service.ts';

/** Tries discovery and keys of every provider with unsaved values. */
export async function testOidc(deps: Pick<Dependencies, 'settings'>, config: OidcConfig): Promise<Record<string, unknown>> {
  const providers = providersOf({ ...config, enabled: true });
  const [main] = providers;
  if (!main) return { ok: false, error: 'Enter the issuer and the client ID.' };
  const client = createOidcClient(deps);
  let result: Record<string, unknown> = {};
  for (const provider of providers) {
    try {
      const configuration = await client.configuration(provider);
      const { issuer, authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata();
      const response = await client.fetch(jwks_uri ?? '', { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
      const { keys } = (await response.json().catch(() => ({}))) as { keys?: unknown };
      if (!Array.isArray(keys) || keys.length === 0) throw new OidcFailure('empty_jwks', 'The provider publishes no keys.');
      if (provider === main) result = { ok: true, issuer, authorization_endpoint, token_endpoint, jwks_uri, keys: keys.length };
    } catch (error) {
      const where = provider === main ? '' : `${provider.label}: `;
      return { ok: false, error: `${where}${error instanceof Error ? error.message : String(error)}` };
    }
  }
  return result;
}
