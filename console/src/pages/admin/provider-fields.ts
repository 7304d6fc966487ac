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
