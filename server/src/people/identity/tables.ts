import type { ColumnType, Generated } from 'kysely';
import type { Scope } from '../../platform/principal.ts';
import type { SecurityEventsTable } from '../audit/index.ts';

interface PrincipalsTable {
  id: Generated<string>;
  username: string;
  email: string | null;
  email_self_chosen: Generated<boolean>;
  password_hash: string | null;
  global_role: string;
  disabled: Generated<boolean>;
  auth_provider: Generated<string>;
  display_name: string | null;
  phone: string | null;
  preferences: ColumnType<Record<string, unknown>, string | undefined, string>;
  session_inactivity_hours: number | null;
  session_ttl_hours: number | null;
  last_login_at: Date | null;
  password_changed_at: Generated<Date | null>;
  role_source: Generated<string>;
  role_reason: Generated<string | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

interface SessionsTable {
  id: Generated<string>;
  principal_id: string;
  token_hash: string;
  previous_token_hash: string | null;
  rotated_at: Generated<Date>;
  token_used: Generated<boolean>;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  ip_address: string | null;
  user_agent: string | null;
  method: Generated<string>;
  identity_id: Generated<string | null>;
  provider_name: Generated<string | null>;
  provider_session: Generated<string | null>;
  rights_checked_at: Generated<Date>;
  second_factor: Generated<boolean>;
  persistent: Generated<boolean>;
}

interface ApiKeysTable {
  id: Generated<string>;
  name: string;
  prefix: string;
  key_hash: string;
  scopes: Scope[];
  service_account_id: string | null;
  principal_id: string | null;
  libraries: string[] | null;
  path_scope: string | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Generated<Date>;
}

interface ServiceAccountsTable {
  id: Generated<string>;
  name: string;
  description: string | null;
  disabled: Generated<boolean>;
  created_at: Generated<Date>;
}

interface RolesTable {
  name: string;
  display_name: string;
  description: string;
  builtin: Generated<boolean>;
  scopes: Scope[];
  ceiling_actions: string[];
  bypass: Generated<boolean>;
  require_second_factor: Generated<boolean>;
  updated_at: Generated<Date>;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    principals: PrincipalsTable;
    sessions: SessionsTable;
    api_keys: ApiKeysTable;
    service_accounts: ServiceAccountsTable;
    roles: RolesTable;
    security_events: SecurityEventsTable;
  }
}
