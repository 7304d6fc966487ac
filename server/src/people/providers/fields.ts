import type { Settings } from '../../settings/index.ts';

export type Provider = 'oidc' | 'ldap' | 'directory';

/** `entries` is a list of objects with text values, one of which is a secret that is stored apart, under the value of `key`. */
export type FieldKind = 'boolean' | 'text' | 'integer' | 'list' | 'secret' | 'entries';

export interface Field {
  kind: FieldKind;
  setting: Parameters<typeof import('../../settings/index.ts').isSet>[1];
  fromSettings(settings: Settings): unknown;
  /** For `entries`. */
  keys?: readonly string[];
  key?: string;
  secretKey?: string;
  minimum?: number;
  maximum?: number;
}

type Row = Field['fromSettings'];
const field = (kind: FieldKind, setting: Field['setting'], fromSettings: Row, more: Partial<Field> = {}): Field => ({
  kind,
  setting,
  fromSettings,
  ...more,
});

/** Every value that can be set in the console, with the setting it overrides. */
export const fields: Record<Provider, Readonly<Record<string, Field>>> = {
  oidc: {
    enabled: field('boolean', 'SVC_OIDC_ENABLED', (settings) => settings.oidcEnabled),
    label: field('text', 'SVC_OIDC_LABEL', (settings) => settings.oidcLabel),
    issuer: field('text', 'SVC_OIDC_ISSUER', (settings) => settings.oidcIssuer),
    client_id: field('text', 'SVC_OIDC_CLIENT_ID', (settings) => settings.oidcClientId),
    client_secret: field('secret', 'SVC_OIDC_CLIENT_SECRET', (settings) => settings.oidcClientSecret),
    redirect_uri: field('text', 'SVC_OIDC_REDIRECT_URL', (settings) => settings.oidcRedirectUrl),
    scopes: field('list', 'SVC_OIDC_SCOPES', (settings) => settings.oidcScopes),
    username_claim: field('text', 'SVC_OIDC_USERNAME_CLAIM', (settings) => settings.oidcUsernameClaim),
    group_claim: field('text', 'SVC_OIDC_GROUPS_CLAIM', (settings) => settings.oidcGroupsClaim),
    role_claim: field('text', 'SVC_OIDC_ROLE_CLAIM', (settings) => settings.oidcRoleClaim),
    role_map: field('text', 'SVC_OIDC_ROLE_MAP', (settings) => settings.oidcRoleMap),
    admin_groups: field('list', 'SVC_OIDC_ADMIN_GROUPS', (settings) => settings.oidcAdminGroups),
    default_role: field('text', 'SVC_OIDC_DEFAULT_ROLE', (settings) => settings.oidcDefaultRole),
    auto_provision: field('boolean', 'SVC_OIDC_AUTO_CREATE', (settings) => settings.oidcAutoCreate),
    link_by_email: field('boolean', 'SVC_OIDC_LINK_BY_EMAIL', (settings) => settings.oidcLinkByEmail),
    providers: field('entries', 'SVC_OIDC_PROVIDERS', (settings) => settings.oidcProviders, {
      keys: ['name', 'label', 'issuer', 'client_id', 'client_secret'],
      key: 'name',
      secretKey: 'client_secret',
    }),
  },
  ldap: {},
  directory: {},
};

export interface OidcConfig {
  enabled: boolean;
  label: string;
  issuer: string | null;
  client_id: string | null;
  client_secret: string | null;
  redirect_uri: string | null;
  scopes: readonly string[];
  username_claim: string;
  group_claim: string;
  role_claim: string | null;
  role_map: string | null;
  admin_groups: readonly string[];
  default_role: string;
  auto_provision: boolean;
  link_by_email: boolean;
  providers: readonly Readonly<Record<string, string>>[];
}
