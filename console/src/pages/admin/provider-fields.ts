import { t } from '../../language/text.ts';
/** How a field of a provider's configuration is shown. */
export interface ProviderField {
  name: string;
  label: string;
  kind: 'boolean' | 'text' | 'lines' | 'list' | 'secret' | 'integer' | 'entries';
  description?: string;
  /** For `entries`: the keys of an entry with their labels; the first one identifies it. */
  entryFields?: { name: string; label: string; secret?: boolean }[];
  addLabel?: string;
}

export interface FieldGroup {
  title: string;
  fields: ProviderField[];
}

export const oidcGroups: FieldGroup[] = [
  {
    title: t('Provider'),
    fields: [
      { name: 'enabled', label: t('People can sign in with this provider'), kind: 'boolean' },
      { name: 'label', label: t('Name on the sign-in page'), kind: 'text', description: t('For example the name of your organisation.') },
      {
        name: 'issuer',
        label: t('Issuer'),
        kind: 'text',
        description: t('The address that the provider’s documentation calls issuer or authority.'),
      },
      { name: 'client_id', label: t('Client ID'), kind: 'text' },
      { name: 'client_secret', label: t('Client secret'), kind: 'secret', description: t('Leave it out for a public client.') },
      {
        name: 'redirect_uri',
        label: t('Redirect URI'),
        kind: 'text',
        description: t('Only if the provider must not use the address of this console.'),
      },
      { name: 'scopes', label: t('Scopes'), kind: 'list', description: t('One per line.') },
    ],
  },
  {
    title: t('Roles and groups'),
    fields: [
      {
        name: 'group_claim',
        label: t('Group claim'),
        kind: 'text',
        description: t('Groups with the same name are joined at every sign-in. A path such as realm_access.groups is possible.'),
      },
      { name: 'role_claim', label: t('Role claim'), kind: 'text', description: t('The group claim is used when this is empty.') },
      {
        name: 'role_map',
        label: t('Role map'),
        kind: 'text',
        description: t('Claim value and role, such as editors:user,archive:viewer. The role with the most rights wins.'),
      },
      { name: 'admin_groups', label: t('Groups of administrators'), kind: 'list', description: t('One per line.') },
      {
        name: 'default_role',
        label: t('Role of everybody else'),
        kind: 'text',
        description: t('The name of a role, or none to refuse them.'),
      },
    ],
  },
  {
    title: t('Accounts'),
    fields: [
      { name: 'username_claim', label: t('User name claim'), kind: 'text' },
      { name: 'auto_provision', label: t('Create an account at the first sign-in'), kind: 'boolean' },
      {
        name: 'link_by_email',
        label: t('Link to the local account with the same verified email address'),
        kind: 'boolean',
        description: t('Only with a provider that verifies addresses.'),
      },
    ],
  },
  {
    title: t('More providers'),
    fields: [
      {
        name: 'providers',
        label: t('More providers'),
        kind: 'entries',
        addLabel: t('Add a provider'),
        description: t('They use the roles, groups and accounts above.'),
        entryFields: [
          { name: 'name', label: t('Short name') },
          { name: 'label', label: t('Name on the sign-in page') },
          { name: 'issuer', label: t('Issuer') },
          { name: 'client_id', label: t('Client ID') },
          { name: 'client_secret', label: t('Client secret'), secret: true },
        ],
      },
    ],
  },
];

export const ldapGroups: FieldGroup[] = [
  {
    title: t('Server'),
    fields: [
      { name: 'enabled', label: t('People can sign in with their directory password'), kind: 'boolean' },
      { name: 'server', label: t('Server'), kind: 'text', description: t('For example ldaps://dc1.example.org.') },
      {
        name: 'failover',
        label: t('Further servers'),
        kind: 'list',
        description: t('One per line, tried in this order when the first one does not answer.'),
      },
      { name: 'start_tls', label: t('Start TLS on an ldap:// connection'), kind: 'boolean' },
      {
        name: 'allow_plaintext',
        label: t('Send passwords unencrypted'),
        kind: 'boolean',
        description: t('Anyone on the network can read them. Only for tests.'),
      },
      {
        name: 'ca_pem',
        label: t('Certificate authority'),
        kind: 'lines',
        description: t('In PEM format, if the system does not trust the server already.'),
      },
      { name: 'ca_file', label: t('Certificate authority as a file on the server'), kind: 'text' },
      { name: 'timeout', label: t('Timeout in seconds'), kind: 'integer' },
    ],
  },
  {
    title: t('People'),
    fields: [
      {
        name: 'bind_dn',
        label: t('Service account'),
        kind: 'text',
        description: t('The DN that searches the directory. Empty for an anonymous search.'),
      },
      { name: 'bind_password', label: t('Password of the service account'), kind: 'secret' },
      { name: 'user_base', label: t('Base DN of people'), kind: 'text' },
      {
        name: 'user_filter',
        label: t('Filter for people'),
        kind: 'text',
        description: t('{username} stands for the name that was typed.', { username: '{username}' }),
      },
      {
        name: 'user_dn_template',
        label: t('DN template'),
        kind: 'text',
        description: t('Instead of a search, for example {template}.', { template: 'uid={username},ou=people,dc=example,dc=org' }),
      },
      { name: 'attr_email', label: t('Attribute of the email address'), kind: 'text' },
      { name: 'auto_provision', label: t('Create an account at the first sign-in'), kind: 'boolean' },
    ],
  },
  {
    title: t('Roles and groups'),
    fields: [
      { name: 'group_base', label: t('Base DN of groups'), kind: 'text' },
      {
        name: 'group_filter',
        label: t('Filter for groups'),
        kind: 'text',
        description: t('{dn} stands for the person or group.', { dn: '{dn}' }),
      },
      { name: 'nested_groups', label: t('Count groups inside groups'), kind: 'boolean' },
      { name: 'admin_groups', label: t('Groups of administrators'), kind: 'list', description: t('Names or DNs, one per line.') },
      {
        name: 'role_map',
        label: t('Role map'),
        kind: 'lines',
        description: t('One per line: cn=staff,ou=groups,dc=example,dc=org=>user. The role with the most rights wins.'),
      },
      {
        name: 'default_role',
        label: t('Role of everybody else'),
        kind: 'text',
        description: t('The name of a role, or none to refuse them.'),
      },
    ],
  },
];

export const directoryGroups: FieldGroup[] = [
  {
    title: t('Directory sync'),
    fields: [
      {
        name: 'sync_enabled',
        label: t('Read users, groups and computers every night'),
        kind: 'boolean',
        description: t('File permissions can then be shown with names. It needs a service account.'),
      },
      { name: 'user_base', label: t('Base DN of people'), kind: 'text', description: t('Empty for the one used at sign-in.') },
      { name: 'group_base', label: t('Base DN of groups'), kind: 'text', description: t('Empty for the one used at sign-in.') },
      { name: 'user_filter', label: t('Filter for people'), kind: 'text' },
      { name: 'group_filter', label: t('Filter for groups'), kind: 'text' },
      {
        name: 'domain',
        label: t('Domain'),
        kind: 'text',
        description: t('Shown before account names. Empty for the first part of the DN.'),
      },
    ],
  },
  {
    title: t('Directories'),
    fields: [
      {
        name: 'directories',
        label: t('Directories'),
        kind: 'entries',
        addLabel: t('Add a directory'),
        description: t('People of other domains. Empty values are those of the directory above.'),
        entryFields: [
          { name: 'server', label: t('Server') },
          { name: 'label', label: t('Name') },
          { name: 'domain', label: t('Domain') },
          { name: 'bind_dn', label: t('Service account') },
          { name: 'bind_password', label: t('Password'), secret: true },
          { name: 'user_base', label: t('Base DN of people') },
          { name: 'group_base', label: t('Base DN of groups') },
        ],
      },
    ],
  },
];
