import { get, patch, post, remove, request } from './request.ts';
import type {
  ApiKey,
  AuthStatus,
  Grant,
  GrantPreview,
  Group,
  GroupMember,
  Page,
  Principal,
  Role,
  SecurityEvent,
  Session,
} from './types.ts';

export const authStatus = (): Promise<AuthStatus> => get('/auth/status');
export const me = (): Promise<Principal> => request('GET', '/auth/me', { plain401: true });
export const bootstrap = (body: { username: string; password: string }): Promise<Principal> =>
  request('POST', '/auth/bootstrap', { body, plain401: true });
export const login = (body: { username: string; password: string }): Promise<{ principal: Principal; warning?: string | null }> =>
  request('POST', '/auth/login', { body, plain401: true });
export const logout = (): Promise<void> => request('POST', '/auth/logout', { plain401: true });
export const changePassword = (body: { current_password: string; new_password: string }): Promise<void> =>
  request('POST', '/auth/password', { body, plain401: true });
export const saveProfile = (body: { display_name?: string | null; email?: string | null }): Promise<Principal> => patch('/auth/me', body);

export const sessions = async (): Promise<Session[]> => unwrap(await get<Session[] | Page<Session>>('/auth/sessions'), 'sessions');
export const revokeSession = (id: string): Promise<void> => remove(`/auth/sessions/${id}`);
export const revokeAllSessions = (): Promise<void> => post('/auth/sessions/revoke-all');

export const apiKeys = async (): Promise<ApiKey[]> => unwrap(await get<Page<ApiKey> | { keys: ApiKey[] } | ApiKey[]>('/api-keys'), 'keys');
export const createApiKey = (body: { name: string; scopes: string[]; expires_days?: number | null }): Promise<ApiKey & { key: string }> =>
  post('/api-keys', body);
export const revokeApiKey = (id: string): Promise<void> => remove(`/api-keys/${id}`);

export const users = (): Promise<Principal[]> => get('/auth/users');
export const createUser = (body: { username: string; password: string; global_role: string; email?: string | null }): Promise<Principal> =>
  post('/auth/users', body);
export const updateUser = (
  id: string,
  body: { global_role?: string; disabled?: boolean; password?: string; email?: string | null },
): Promise<Principal> => patch(`/auth/users/${id}`, body);
export const deleteUser = (id: string): Promise<void> => remove(`/auth/users/${id}`);

export const roles = (): Promise<Role[]> => get('/rbac/roles');
export const createRole = (body: {
  name: string;
  display_name: string;
  description: string;
  scopes: string[];
  ceiling_actions: string[];
}): Promise<Role> => post('/rbac/roles', body);
export const updateRole = (
  name: string,
  body: Partial<Pick<Role, 'display_name' | 'description' | 'scopes' | 'ceiling_actions'>>,
): Promise<Role> => patch(`/rbac/roles/${encodeURIComponent(name)}`, body);
export const deleteRole = (name: string): Promise<void> => remove(`/rbac/roles/${encodeURIComponent(name)}`);
export const actions = (): Promise<{ actions: string[] }> => get('/rbac/actions');

export const groups = (): Promise<Group[]> => get('/rbac/groups');
export const createGroup = (body: { name: string; description?: string | null }): Promise<Group> => post('/rbac/groups', body);
export const deleteGroup = (id: string): Promise<void> => remove(`/rbac/groups/${id}`);
export const groupMembers = (id: string): Promise<GroupMember[]> => get(`/rbac/groups/${id}/members`);
export const addMember = (id: string, principal_id: string): Promise<void> => post(`/rbac/groups/${id}/members`, { principal_id });
export const removeMember = (id: string, principal: string): Promise<void> => remove(`/rbac/groups/${id}/members/${principal}`);

export const grants = (): Promise<Grant[]> => get('/rbac/grants');
export const createGrant = (
  body: Pick<Grant, 'subject_kind' | 'subject_id' | 'library_id' | 'action' | 'effect'> & { rel_path: string },
): Promise<Grant> => post('/rbac/grants', body);
export const deleteGrant = (id: string): Promise<void> => remove(`/rbac/grants/${id}`);
export const previewGrant = (query: { principal: string; library: string; path: string; action: string }): Promise<GrantPreview> =>
  get('/rbac/preview', query);

export interface AuditQuery {
  event_type?: string | undefined;
  principal_id?: string | undefined;
  since?: string | undefined;
  cursor?: string | undefined;
  limit?: number;
}
export const audit = async (query: AuditQuery): Promise<{ items: SecurityEvent[]; next_cursor: string | null }> => {
  const page = await get<{ items?: SecurityEvent[]; events?: SecurityEvent[]; next_cursor: string | null }>('/audit', query);
  return { items: page.items ?? page.events ?? [], next_cursor: page.next_cursor };
};

/** Some lists come bare, some in a page; the console only wants the rows. */
function unwrap<T>(answer: T[] | Page<T> | Record<string, T[]>, key: string): T[] {
  if (Array.isArray(answer)) return answer;
  if ('items' in answer && Array.isArray(answer.items)) return answer.items;
  return (answer as Record<string, T[]>)[key] ?? [];
}
