import { body, client } from './client.ts';

export const directoryStatus = () => body(client.GET('/api/v1/directory/status'));
export const startSync = () => body(client.POST('/api/v1/directory/sync'));
export const directoryObjects = (q: string) =>
  body(client.GET('/api/v1/directory/objects', { params: { query: { limit: 50, ...(q ? { q } : {}) } } }));
