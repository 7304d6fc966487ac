import type { Dependencies } from '../../../platform/dependencies.ts';
import type { Actor } from '../../../platform/principal.ts';
import { endRemovedIssuers } from '../../identity/index.ts';
import { readPlainConfig, type Values } from '../config.ts';

/** The issuers of all providers, as they are stored with identities, also while people cannot sign in with them. */
export function issuersOf(oidc: Values): string[] {
  const more = (oidc['providers'] ?? []) as readonly Readonly<Record<string, string>>[];
  return [oidc['issuer'], ...more.map(({ issuer }) => issuer)].filter((issuer) => typeof issuer === 'string');
}

/** As `endRemovedDirectories`, for OpenID providers: a removed one can no longer confirm the rights that it gave. */
export async function endRemovedProviders(deps: Pick<Dependencies, 'db' | 'settings'>, actor: Actor): Promise<number> {
  const { values } = await readPlainConfig(deps, 'oidc');
  return endRemovedIssuers(deps.db, 'oidc', issuersOf(values), actor);
}
