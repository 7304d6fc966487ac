/** How a field of a provider's configuration is shown. */
export interface ProviderField {
  name: string;
  label: string;
  kind: 'boolean' | 'text' | 'lines' | 'list' | 'secret' | 'integer' | 'entries';
  description?: string;
  /** For `entries`: the keys of an entry with their labels. */
  entryFields?: { name: string; label: string; secret?: boolean }[];
  addLabel?: string;
}

export interface FieldGroup {
  title: string;
  fields: ProviderField[];
}

export const oidcGroups: FieldGroup[] = [
  {
    title: 'Provider',
    fields: [
      { name: 'enabled', label: 'People can sign in with this provider', kind: 'boolean' },
      { name: 'label', label: 'Name on the sign-in page', kind: 'text', description: 'For example the name of your organisation.' },
      {
        name: 'issuer',
        label: 'Issuer',
        kind: 'text',
        description: 'The address that the provider’s documentation calls issuer or authority.',
      },
      { name: 'client_id', label: 'Client ID', kind: 'text' },
      { name: 'client_secret', label: 'Client secret', kind: 'secret', description: 'Leave it out for a public client.' },
      {
        name: 'redirect_uri',
        label: 'Redirect URI',
        kind: 'text',
        description: 'Only if the provider must not use the address of this console.',
      },
      { name: 'scopes', label: 'Scopes', kind: 'list', description: 'One per line.' },
    ],
  },
  {
    title: 'Roles and groups',
    fields: [
      {
        name: 'group_claim',
        label: 'Group claim',
        kind: 'text',
        description: 'Groups with the same name are joined at every sign-in. A path such as realm_access.groups is possible.',
      },
      { name: 'role_claim', label: 'Role claim', kind: 'text', description: 'The group claim is used when this is empty.' },
      {
        name: 'role_map',
        label: 'Role map',
        kind: 'text',
        description: 'Claim value and role, such as editors:user,archive:viewer. The role with the most rights wins.',
      },
      { name: 'admin_groups', label: 'Groups of administrators', kind: 'list', description: 'One per line.' },
      { name: 'default_role', label: 'Role of everybody else', kind: 'text', description: 'The name of a role, or none to refuse them.' },
    ],
  },
  {
    title: 'Accounts',
    fields: [
      { name: 'username_claim', label: 'User name claim', kind: 'text' },
      { name: 'auto_provision', label: 'Create an account at the first sign-in', kind: 'boolean' },
      {
        name: 'link_by_email',
        label: 'Link to the local account with the same verified email address',
        kind: 'boolean',
        description: 'Only with a provider that verifies addresses.',
      },
    ],
  },
  {
    title: 'More providers',
    fields: [
      {
        name: 'providers',
        label: 'More providers',
        kind: 'entries',
        addLabel: 'Add a provider',
        description: 'They use the roles, groups and accounts above.',
        entryFields: [
          { name: 'name', label: 'Short name' },
          { name: 'label', label: 'Name on the sign-in page' },
          { name: 'issuer', label: 'Issuer' },
          { name: 'client_id', label: 'Client ID' },
          { name: 'client_secret', label: 'Client secret', secret: true },
        ],
      },
    ],
  },
];

export const ldapGroups: FieldGroup[] = [
  {
    title: 'Server',
    fields: [
      { name: 'enabled', label: 'People can sign in with their directory password', kind: 'boolean' },
      { name: 'server', label: 'Server', kind: 'text', description: 'For example ldaps://dc1.example.org.' },
      {
        name: 'failover',
        label: 'Further servers',
        kind: 'list',
        description: 'One per line, tried in this order when the first one does not answer.',
      },
      { name: 'start_tls', label: 'Start TLS on an ldap:// connection', kind: 'boolean' },
      {
        name: 'allow_plaintext',
        label: 'Send passwords unencrypted',
        kind: 'boolean',
        description: 'Anyone on the network can read them. Only for tests.',
      },
      {
        name: 'ca_pem',
        label: 'Certificate authority',
        kind: 'lines',
        description: 'In PEM format, if the system does not trust the server already.',
      },
      { name: 'ca_file', label: 'Certificate authority as a file on the server', kind: 'text' },
      { name: 'timeout', label: 'Timeout in seconds', kind: 'integer' },
    ],
  },
  {
    title: 'People',
    fields: [
      {
        name: 'bind_dn',
        label: 'Service account',
        kind: 'text',
        description: 'The DN that searches the directory. Empty for an anonymous search.',
      },
      { name: 'bind_password', label: 'Password of the service account', kind: 'secret' },
      { name: 'user_base', label: 'Base DN of people', kind: 'text' },
      { name: 'user_filter', label: 'Filter for people', kind: 'text', description: '{username} stands for the name that was typed.' },
      {
        name: 'user_dn_template',
        label: 'DN template',
        kind: 'text',
        description: 'Instead of a search, for example uid={username},ou=people,dc=example,dc=org.',
      },
      { name: 'attr_email', label: 'Attribute of the email address', kind: 'text' },
      { name: 'auto_provision', label: 'Create an account at the first sign-in', kind: 'boolean' },
    ],
  },
  {
    title: 'Roles and groups',
    fields: [
      { name: 'group_base', label: 'Base DN of groups', kind: 'text' },
      { name: 'group_filter', label: 'Filter for groups', kind: 'text', description: '{dn} stands for the person or group.' },
      { name: 'nested_groups', label: 'Count groups inside groups', kind: 'boolean' },
      { name: 'admin_groups', label: 'Groups of administrators', kind: 'list', description: 'Names or DNs, one per line.' },
      {
        name: 'role_map',
        label: 'Role map',
        kind: 'lines',
        description: 'One per line: cn=staff,ou=groups,dc=example,dc=org=>user. The role with the most rights wins.',
      },
      { name: 'default_role', label: 'Role of everybody else', kind: 'text', description: 'The name of a role, or none to refuse them.' },
    ],
  },
];

export const directoryGroups: FieldGroup[] = [
  {
    title: 'Directory sync',
    fields: [
      {
        name: 'sync_enabled',
        label: 'Read users, groups and computers every night',
        kind: 'boolean',
        description: 'File permissions can then be shown with names. It needs a service account.',
      },
      { name: 'user_base', label: 'Base DN of people', kind: 'text', description: 'Empty for the one used at sign-in.' },
      { name: 'group_base', label: 'Base DN of groups', kind: 'text', description: 'Empty for the one used at sign-in.' },
      { name: 'user_filter', label: 'Filter for people', kind: 'text' },
      { name: 'group_filter', label: 'Filter for groups', kind: 'text' },
      { name: 'domain', label: 'Domain', kind: 'text', description: 'Shown before account names. Empty for the first part of the DN.' },
    ],
  },
  {
    title: 'Directories',
    fields: [
      {
        name: 'directories',
        label: 'Directories',
        kind: 'entries',
        addLabel: 'Add a directory',
        description: 'People of other domains. Empty values are those of the directory above.',
        entryFields: [
          { name: 'server', label: 'Server' },
          { name: 'label', label: 'Name' },
          { name: 'domain', label: 'Domain' },
          { name: 'bind_dn', label: 'Service account' },
          { name: 'bind_password', label: 'Password', secret: true },
          { name: 'user_base', label: 'Base DN of people' },
          { name: 'group_base', label: 'Base DN of groups' },
        ],
      },
    ],
  },
];
