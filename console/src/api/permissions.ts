import { body, client } from './client.ts';
import type { ItemPermissions, QueryParams, ReadableFolders } from './types.ts';

const ofItem = (id: string) => ({ path: { item_id: id } });
export const itemPermissions = (id: string): Promise<ItemPermissions> =>
  body(client.GET('/api/v1/items/{item_id}/permissions', { params: ofItem(id) }));
export const checkAccess = (id: string, principal: string) =>
  body(client.GET('/api/v1/items/{item_id}/permissions/check', { params: { ...ofItem(id), query: { principal } } }));
export const compareAccess = (id: string, from: string, to: string) =>
  body(client.GET('/api/v1/items/{item_id}/permissions/compare', { params: { ...ofItem(id), query: { from, to } } }));
export const readableFolders = (query: QueryParams<'/api/v1/permissions/readable-folders', 'get'>): Promise<ReadableFolders> =>
  body(client.GET('/api/v1/permissions/readable-folders', { params: { query } }));
export const folderReasons = (query: QueryParams<'/api/v1/permissions/folder-reasons', 'get'>) =>
  body(client.GET('/api/v1/permissions/folder-reasons', { params: { query } }));
export const personChanges = async (query: QueryParams<'/api/v1/permissions/person-changes', 'get'>) =>
  (await body(client.GET('/api/v1/permissions/person-changes', { params: { query } }))).changes;
export const searchPrincipals = async (q: string) =>
  (await body(client.GET('/api/v1/search/principals', { params: { query: { q } } }))).principals;
