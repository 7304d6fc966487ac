import { body, client } from './client.ts';
import type { ItemPermissions } from './types.ts';

const ofItem = (id: string) => ({ path: { item_id: id } });
export const itemPermissions = (id: string): Promise<ItemPermissions> =>
  body(client.GET('/api/v1/items/{item_id}/permissions', { params: ofItem(id) }));
export const checkAccess = (id: string, principal: string) =>
  body(client.GET('/api/v1/items/{item_id}/permissions/check', { params: { ...ofItem(id), query: { principal } } }));
