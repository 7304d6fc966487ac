import { serverText } from '../language/text.ts';
import { body, client } from './client.ts';
import type {
  ApiKey,
  AuthStatus,
  Grant,
  Group,
  Principal,
  QueryParams,
  RequestBody,
  Role,
  SecurityEvent,
  ServiceAccount,
  Session,
} from './types.ts';

export const authStatus = (): Promise<AuthStatus> => body(client.GET('/api/v1/auth/status'));
export const me = (): Promise<Principal> => body(client.GET('/api/v1/auth/me'));
export const bootstrap = (account: RequestBody<'/api/v1/auth/bootstrap', 'post'>): Promise<Principal> =>
  body(client.POST('/api/v1/auth/bootstrap', { body: account }));
export const login = (account: RequestBody<'/api/v1/auth/login', 'post'>) => body(client.POST('/api/v1/auth/login', { body: account }));
/** Null when the session was not opened by a provider that has such a page. */
export const providerLogoutUrl = async (): Promise<string | null> => (await body(client.GET('/api/v1/auth/oidc/logout-url'))).url;
export const disconnectIdentity = (identity_id: string) =>
  body(client.DELETE('/api/v1/auth/identities/{identity_id}', { params: { path: { identity_id } } }));
/** The page of the provider to open. */
export const connectProvider = async (provider: string): Promise<string> =>
  (await body(client.POST('/api/v1/auth/oidc/connect', { body: { provider } }))).url;
export const signInByProxy = () => body(client.POST('/api/v1/auth/header'));
/** What the caller did lately. */
export const activity = () => body(client.GET('/api/v1/auth/activity', { params: { query: { limit: 8 } } }));
export const userSignIns = (principal_id: string) =>
  body(client.GET('/api/v1/auth/users/{principal_id}/sign-ins', { params: { path: { principal_id }, query: { limit: 10 } } }));
export const accessOverview = (principal_id: string) =>
  body(client.GET('/api/v1/rbac/people/{principal_id}', { params: { path: { principal_id } } }));
export const invite = (person: RequestBody<'/api/v1/auth/invitations', 'post'>) =>
  body(client.POST('/api/v1/auth/invitations', { body: person }));
/** A new link for a person who has not chosen a password yet; the earlier one stops working. */
export const renewInvitation = (principal_id: string) =>
  body(client.POST('/api/v1/auth/users/{principal_id}/invitation', { params: { path: { principal_id } } }));
export const invitation = (token: string) => body(client.GET('/api/v1/auth/invitations/{token}', { params: { path: { token } } }));
export const acceptInvitation = (token: string, password: string) =>
  body(client.POST('/api/v1/auth/invitations/accept', { body: { token, password } }));
export const identities = () => body(client.GET('/api/v1/auth/identities'));
export const logout = () => body(client.POST('/api/v1/auth/logout'));
export const changePassword = (change: RequestBody<'/api/v1/auth/password', 'post'>) =>
  body(client.POST('/api/v1/auth/password', { body: change }));

export const sessions = (): Promise<Session[]> => body(client.GET('/api/v1/auth/sessions'));
export const revokeSession = (session_id: string) =>
  body(client.DELETE('/api/v1/auth/sessions/{session_id}', { params: { path: { session_id } } }));
export const revokeAllSessions = () => body(client.POST('/api/v1/auth/sessions/revoke-all'));

export const apiKeys = async (): Promise<ApiKey[]> => (await body(client.GET('/api/v1/api-keys'))).keys;
export const createApiKey = (key: RequestBody<'/api/v1/api-keys', 'post'>) => body(client.POST('/api/v1/api-keys', { body: key }));
export const revokeApiKey = (key_id: string) => body(client.DELETE('/api/v1/api-keys/{key_id}', { params: { path: { key_id } } }));

export const users = (): Promise<Principal[]> => body(client.GET('/api/v1/auth/users'));
export const createUser = (user: RequestBody<'/api/v1/auth/users', 'post'>): Promise<Principal> =>
  body(client.POST('/api/v1/auth/users', { body: user }));
export const updateUser = (principal_id: string, change: RequestBody<'/api/v1/auth/users/{principal_id}', 'patch'>): Promise<Principal> =>
  body(client.PATCH('/api/v1/auth/users/{principal_id}', { params: { path: { principal_id } }, body: change }));
export const deleteUser = (principal_id: string) =>
  body(client.DELETE('/api/v1/auth/users/{principal_id}', { params: { path: { principal_id } } }));

export const userSessions = (principal_id: string): Promise<Session[]> =>
  body(client.GET('/api/v1/auth/users/{principal_id}/sessions', { params: { path: { principal_id } } }));
export const endUserSessions = (principal_id: string) =>
  body(client.DELETE('/api/v1/auth/users/{principal_id}/sessions', { params: { path: { principal_id } } }));
/** Replaces all preferences that are kept with the account. */
export const setPreferences = (preferences: RequestBody<'/api/v1/auth/me/preferences', 'put'>): Promise<Principal> =>
  body(client.PUT('/api/v1/auth/me/preferences', { body: preferences }));
export const updateMe = (change: RequestBody<'/api/v1/auth/me', 'patch'>): Promise<Principal> =>
  body(client.PATCH('/api/v1/auth/me', { body: change }));

export const serviceAccounts = async (): Promise<ServiceAccount[]> => (await body(client.GET('/api/v1/service-accounts'))).items;
export const createServiceAccount = (account: RequestBody<'/api/v1/service-accounts', 'post'>): Promise<ServiceAccount> =>
  body(client.POST('/api/v1/service-accounts', { body: account }));
export const updateServiceAccount = (account_id: string, change: RequestBody<'/api/v1/service-accounts/{account_id}', 'patch'>) =>
  body(client.PATCH('/api/v1/service-accounts/{account_id}', { params: { path: { account_id } }, body: change }));
export const deleteServiceAccount = (account_id: string) =>
  body(client.DELETE('/api/v1/service-accounts/{account_id}', { params: { path: { account_id } } }));

export const roles = async (): Promise<Role[]> =>
  (await body(client.GET('/api/v1/rbac/roles'))).map((role) =>
    role.builtin ? { ...role, display_name: serverText(role.display_name) } : role,
  );
export const createRole = (role: RequestBody<'/api/v1/rbac/roles', 'post'>): Promise<Role> =>
  body(client.POST('/api/v1/rbac/roles', { body: role }));
export const updateRole = (name: string, change: RequestBody<'/api/v1/rbac/roles/{name}', 'patch'>): Promise<Role> =>
  body(client.PATCH('/api/v1/rbac/roles/{name}', { params: { path: { name } }, body: change }));
export const deleteRole = (name: string) => body(client.DELETE('/api/v1/rbac/roles/{name}', { params: { path: { name } } }));

export const groups = (): Promise<Group[]> => body(client.GET('/api/v1/rbac/groups'));
export const createGroup = (group: RequestBody<'/api/v1/rbac/groups', 'post'>): Promise<Group> =>
  body(client.POST('/api/v1/rbac/groups', { body: group }));
export const updateGroup = (group_id: string, change: RequestBody<'/api/v1/rbac/groups/{group_id}', 'patch'>): Promise<Group> =>
  body(client.PATCH('/api/v1/rbac/groups/{group_id}', { params: { path: { group_id } }, body: change }));
export const deleteGroup = (group_id: string) => body(client.DELETE('/api/v1/rbac/groups/{group_id}', { params: { path: { group_id } } }));
export const groupMembers = (group_id: string) =>
  body(client.GET('/api/v1/rbac/groups/{group_id}/members', { params: { path: { group_id } } }));
export const addMember = (group_id: string, principal_id: string) =>
  body(client.POST('/api/v1/rbac/groups/{group_id}/members', { params: { path: { group_id } }, body: { principal_id } }));
export const removeMember = (group_id: string, principal_id: string) =>
  body(client.DELETE('/api/v1/rbac/groups/{group_id}/members/{principal_id}', { params: { path: { group_id, principal_id } } }));

export const grants = (): Promise<Grant[]> => body(client.GET('/api/v1/rbac/grants'));
export const createGrant = (grant: RequestBody<'/api/v1/rbac/grants', 'post'>): Promise<Grant> =>
  body(client.POST('/api/v1/rbac/grants', { body: grant }));
export const deleteGrant = (grant_id: string) => body(client.DELETE('/api/v1/rbac/grants/{grant_id}', { params: { path: { grant_id } } }));
export const previewGrant = (query: QueryParams<'/api/v1/rbac/preview', 'get'>) =>
  body(client.GET('/api/v1/rbac/preview', { params: { query } }));

export const audit = (query: QueryParams<'/api/v1/audit', 'get'>): Promise<{ events: SecurityEvent[]; next_cursor: string | null }> =>
  body(client.GET('/api/v1/audit', { params: { query } }));
export const sessionSettings = () => body(client.GET('/api/v1/auth/settings/session'));
export const changeSessionSettings = (change: RequestBody<'/api/v1/auth/settings/session', 'patch'>) =>
  body(client.PATCH('/api/v1/auth/settings/session', { body: change }));
