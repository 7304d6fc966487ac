import { body, client } from './client.ts';
import type { Explanation, FsBrowse, LibraryStats, Page, Scan, ScanChange, Timeline } from './pending-types.ts';
import { get, post } from './request.ts';
import type { Body, CustomField, Item, ItemPatch, ItemVersion, Library, LibraryFields, Preset, Taxonomy, TreeResponse } from './types.ts';

const inLibrary = (library_id: string) => ({ path: { library_id } });
const ofItem = (item_id: string) => ({ path: { item_id } });

export const libraries = (): Promise<Library[]> => body(client.GET('/api/v1/libraries'));
export const createLibrary = (library: LibraryFields): Promise<Library> => body(client.POST('/api/v1/libraries', { body: library }));
export const updateLibrary = (id: string, change: Body<'/api/v1/libraries/{library_id}', 'patch'>): Promise<Library> =>
  body(client.PATCH('/api/v1/libraries/{library_id}', { params: inLibrary(id), body: change }));
export const deleteLibrary = (id: string, confirm: string) =>
  body(client.DELETE('/api/v1/libraries/{library_id}', { params: { ...inLibrary(id), query: { confirm } } }));
export const libraryErrors = (id: string) =>
  body(client.GET('/api/v1/libraries/{library_id}/errors', { params: { ...inLibrary(id), query: { limit: 200 } } }));
export const tree = (id: string, path: string): Promise<TreeResponse> =>
  body(client.GET('/api/v1/libraries/{library_id}/tree', { params: { ...inLibrary(id), query: { path, limit: 200 } } }));
export const libraryStats = (): Promise<{ libraries: LibraryStats[]; total_files: number; total_bytes: number }> => get('/stats/libraries');
export const retryExtracts = (id: string): Promise<{ retried: number }> => post(`/libraries/${id}/retry-extracts`);
export const explainPath = (id: string, path: string): Promise<Explanation> => get(`/libraries/${id}/explain`, { path });

export const startScan = (id: string, forceEmpty = false): Promise<{ scan_id: string; job_id: string; status: string }> =>
  post(`/libraries/${id}/scan`, undefined, forceEmpty ? { force_empty: true } : undefined);
export const scanFolder = (id: string, path: string): Promise<{ scan_id: string }> => post(`/libraries/${id}/scan/targeted`, { path });
export const stopScan = (id: string): Promise<{ status: string }> => post(`/scans/${id}/stop`);
export const scans = (query: { library_id?: string; status?: string; limit?: number }): Promise<Page<Scan>> => get('/scans', query);
export const scanDiff = (
  a: string,
  b: string,
  query: { cursor?: string | undefined; limit?: number },
): Promise<Page<ScanChange> & { complete?: boolean }> => get(`/scans/${a}/diff/${b}`, query);

export const browseFolders = (path: string): Promise<FsBrowse> => get('/fs/browse', { path });

export const item = (id: string): Promise<Item> => body(client.GET('/api/v1/items/{item_id}', { params: ofItem(id) }));
export const patchItem = (id: string, change: ItemPatch): Promise<Item> =>
  body(client.PATCH('/api/v1/items/{item_id}', { params: ofItem(id), body: change }));
export const patchItems = (changes: Record<string, ItemPatch>) => body(client.POST('/api/v1/items/batch', { body: changes as never }));
export const trashItem = (id: string) => body(client.DELETE('/api/v1/items/{item_id}', { params: ofItem(id) }));
export const restoreItem = (id: string): Promise<Item> => body(client.POST('/api/v1/items/{item_id}/restore', { params: ofItem(id) }));
export const touchItem = (id: string) => body(client.POST('/api/v1/items/{item_id}/touch', { params: ofItem(id) }));
export const itemCopies = (id: string) => body(client.GET('/api/v1/items/{item_id}/copies', { params: ofItem(id) }));
export const itemHistory = async (id: string): Promise<ItemVersion[]> =>
  (await body(client.GET('/api/v1/items/{item_id}/history', { params: { ...ofItem(id), query: { limit: 100 } } }))).items;
export const customFields = (category: string, library_id: string): Promise<CustomField[]> =>
  body(client.GET('/api/v1/custom-fields', { params: { query: { applies_to: category, library_id } } }));
export const thumbUrl = (id: string, tier: 'grid' | 'preview' = 'grid'): string => `/api/v1/items/${id}/thumb?tier=${tier}`;
export const fileUrl = (id: string, download = false): string => `/api/v1/items/${id}/file${download ? '?download=true' : ''}`;

export const presets = (): Promise<{ presets: Preset[] }> => body(client.GET('/api/v1/presets'));
export const createPreset = (preset: Body<'/api/v1/presets', 'post'>): Promise<Preset> =>
  body(client.POST('/api/v1/presets', { body: preset }));
export const updatePreset = (name: string, change: Body<'/api/v1/presets/{name}', 'patch'>): Promise<Preset> =>
  body(client.PATCH('/api/v1/presets/{name}', { params: { path: { name } }, body: change }));
export const deletePreset = (name: string) => body(client.DELETE('/api/v1/presets/{name}', { params: { path: { name } } }));
export const forkPreset = (name: string, fork: Body<'/api/v1/presets/{name}/fork', 'post'>): Promise<Preset> =>
  body(client.POST('/api/v1/presets/{name}/fork', { params: { path: { name } }, body: fork }));

export const taxonomy = (): Promise<Taxonomy> => body(client.GET('/api/v1/taxonomy'));
export const createCategory = (category: Body<'/api/v1/taxonomy/categories', 'post'>) =>
  body(client.POST('/api/v1/taxonomy/categories', { body: category }));
export const deleteCategory = (key: string) => body(client.DELETE('/api/v1/taxonomy/categories/{key}', { params: { path: { key } } }));
export const createGroup = (group: Body<'/api/v1/taxonomy/groups', 'post'>) =>
  body(client.POST('/api/v1/taxonomy/groups', { body: group }));
export const deleteGroup = (key: string) => body(client.DELETE('/api/v1/taxonomy/groups/{key}', { params: { path: { key } } }));
export const addExtension = (key: string, ext: string) =>
  body(client.POST('/api/v1/taxonomy/groups/{key}/extensions', { params: { path: { key } }, body: { ext } }));
export const removeExtension = (key: string, ext: string) =>
  body(client.DELETE('/api/v1/taxonomy/groups/{key}/extensions/{ext}', { params: { path: { key, ext } } }));

export const timeline = (query: { library?: string | undefined; bucket: 'month' | 'year' }): Promise<Timeline> =>
  get('/stats/timeline', query);
