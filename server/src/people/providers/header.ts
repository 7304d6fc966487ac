import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import type { Settings } from '../../settings/index.ts';
import { type ProxiedRequest, SignInRefused, signInWithProvider } from '../identity/index.ts';
import { decideRole, rolesByRights } from './roles.ts';

/** The issuer of identities that a proxy names. */
const proxyIssuer = 'proxy';

const textOf = ({ headers, raw: { rawHeaders } }: ProxiedRequest, name: string): string => {
  const value = headers[name.toLowerCase()];
  // A repeated header means that somebody added one to that of the proxy.
  const sent = rawHeaders.filter((each, at) => at % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  return typeof value === 'string' && sent.length === 1 ? value.trim() : '';
};

/** Whom a trusted proxy names. Headers of anybody else are ignored. */
export function personNamedByProxy(settings: Settings, request: ProxiedRequest): string | null {
  if (!settings.authEnabled || !settings.headerSignInEnabled || !request.fromTrustedProxy) return null;
  const name = textOf(request, settings.headerSignInUser);
  return name === '' || name.length > 200 ? null : name;
}

/** Opens a session for the person whom the proxy names, with the role and the groups that its headers give. */
export async function signInByHeader({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, request: ProxiedRequest, actor: Actor) {
  const username = personNamedByProxy(settings, request);
  if (username === null) return null;
  const groups = textOf(request, settings.headerSignInGroups)
    .split(',')
    .map((group) => group.trim())
    .filter(Boolean);
  const role = decideRole(
    await rolesByRights(db),
    groups,
    { role_map: settings.headerSignInRoleMap ?? null, admin_groups: [], default_role: settings.headerSignInDefaultRole },
    'group',
  );
  if (!role) throw new SignInRefused('no_role');
  return signInWithProvider(
    db,
    {
      provider: 'header',
      issuer: proxyIssuer,
      subject: username.toLowerCase(),
      username,
      email: textOf(request, settings.headerSignInEmail) || null,
      verifiedEmail: null,
      displayName: null,
      role,
      groups: groups.map((name) => ({ id: name, name })),
    },
    { autoProvision: settings.headerSignInAutoCreate, linkByEmail: false },
    actor,
  );
}
