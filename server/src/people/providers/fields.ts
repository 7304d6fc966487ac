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
  ldap: {
    enabled: field('boolean', 'SVC_LDAP_ENABLED', (settings) => settings.ldapEnabled),
    server: field('text', 'SVC_LDAP_SERVER', (settings) => settings.ldapServer),
    failover: field('list', 'SVC_LDAP_FAILOVER', (settings) => settings.ldapFailover),
    start_tls: field('boolean', 'SVC_LDAP_START_TLS', (settings) => settings.ldapStartTls),
    allow_plaintext: field('boolean', 'SVC_LDAP_ALLOW_PLAINTEXT', (settings) => settings.ldapAllowPlaintext),
    ca_file: field('text', 'SVC_LDAP_CA_FILE', (settings) => settings.ldapCaFile),
    ca_pem: field('text', 'SVC_LDAP_CA_PEM', (settings) => settings.ldapCaPem),
    timeout: field('integer', 'SVC_LDAP_TIMEOUT_S', (settings) => settings.ldapTimeoutS, { minimum: 1, maximum: 120 }),
    bind_dn: field('text', 'SVC_LDAP_BIND_DN', (settings) => settings.ldapBindDn),
    bind_password: field('secret', 'SVC_LDAP_BIND_PASSWORD', (settings) => settings.ldapBindPassword),
    user_base: field('text', 'SVC_LDAP_USER_BASE', (settings) => settings.ldapUserBase),
    user_filter: field('text', 'SVC_LDAP_USER_FILTER', (settings) => settings.ldapUserFilter),
    user_dn_template: field('text', 'SVC_LDAP_USER_DN_TEMPLATE', (settings) => settings.ldapUserDnTemplate),
    attr_email: field('text', 'SVC_LDAP_ATTR_EMAIL', (settings) => settings.ldapAttrEmail),
    group_base: field('text', 'SVC_LDAP_GROUP_BASE', (settings) => settings.ldapGroupBase),
    group_filter: field('text', 'SVC_LDAP_GROUP_FILTER', (settings) => settings.ldapGroupFilter),
    nested_groups: field('boolean', 'SVC_LDAP_NESTED_GROUPS', (settings) => settings.ldapNestedGroups),
    admin_groups: field('list', 'SVC_LDAP_ADMIN_GROUPS', (settings) => settings.ldapAdminGroups),
    role_map: field('text', 'SVC_LDAP_ROLE_MAP', (settings) => settings.ldapRoleMap),
    default_role: field('text', 'SVC_LDAP_DEFAULT_ROLE', (settings) => settings.ldapDefaultRole),
    auto_provision: field('boolean', 'SVC_LDAP_AUTO_CREATE', (settings) => settings.ldapAutoCreate),
  },
  directory: {
    sync_enabled: field('boolean', 'SVC_LDAP_DIRECTORY_SYNC_ENABLED', (settings) => settings.ldapDirectorySyncEnabled),
    user_base: field('text', 'SVC_LDAP_DIRECTORY_USER_BASE', (settings) => settings.ldapDirectoryUserBase),
    group_base: field('text', 'SVC_LDAP_DIRECTORY_GROUP_BASE', (settings) => settings.ldapDirectoryGroupBase),
    user_filter: field('text', 'SVC_LDAP_DIRECTORY_USER_FILTER', (settings) => settings.ldapDirectoryUserFilter),
    group_filter: field('text', 'SVC_LDAP_DIRECTORY_GROUP_FILTER', (settings) => settings.ldapDirectoryGroupFilter),
    attr_object_sid: field('text', 'SVC_LDAP_ATTR_OBJECT_SID', (settings) => settings.ldapAttrObjectSid),
    attr_object_guid: field('text', 'SVC_LDAP_ATTR_OBJECT_GUID', (settings) => settings.ldapAttrObjectGuid),
    attr_display_name: field('text', 'SVC_LDAP_ATTR_DISPLAY_NAME', (settings) => settings.ldapAttrDisplayName),
    attr_sam: field('text', 'SVC_LDAP_ATTR_SAM', (settings) => settings.ldapAttrSam),
    attr_upn: field('text', 'SVC_LDAP_ATTR_UPN', (settings) => settings.ldapAttrUpn),
    attr_member_of_dir: field('text', 'SVC_LDAP_ATTR_MEMBER_OF_DIR', (settings) => settings.ldapAttrMemberOfDir),
    domain: field('text', 'SVC_LDAP_DIRECTORY_DOMAIN', (settings) => settings.ldapDirectoryDomain),
    page_size: field('integer', 'SVC_LDAP_DIRECTORY_PAGE_SIZE', (settings) => settings.ldapDirectoryPageSize, {
      minimum: 1,
      maximum: 1000,
    }),
    max_objects: field('integer', 'SVC_LDAP_DIRECTORY_MAX_OBJECTS', (settings) => settings.ldapDirectoryMaxObjects, {
      minimum: 1,
      maximum: 100_000_000,
    }),
    directories: field('entries', 'SVC_LDAP_DIRECTORIES', (settings) => settings.ldapDirectories, {
      keys: ['server', 'bind_dn', 'bind_password', 'user_base', 'group_base', 'domain', 'label'],
      key: 'server',
      secretKey: 'bind_password',
    }),
  },
};

export interface LdapConfig {
  enabled: boolean;
  server: string | null;
  failover: readonly string[];
  start_tls: boolean;
  allow_plaintext: boolean;
  ca_file: string | null;
  ca_pem: string | null;
  timeout: number;
  bind_dn: string | null;
  bind_password: string | null;
  user_base: string | null;
  user_filter: string;
  user_dn_template: string | null;
  attr_email: string;
  group_base: string | null;
  group_filter: string;
  nested_groups: boolean;
  admin_groups: readonly string[];
  role_map: string | null;
  default_role: string;
  auto_provision: boolean;
}

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
