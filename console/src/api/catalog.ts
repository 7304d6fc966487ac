import { get, patch, post, remove } from './request.ts';
import type {
  Explanation,
  ExtractError,
  FsBrowse,
  Item,
  ItemCopies,
  ItemPatch,
  ItemVersion,
  Library,
  LibraryFields,
  LibraryStats,
  Page,
  Preset,
  Scan,
  ScanChange,
  Taxonomy,
  Timeline,
  TreeResponse,
} from './types.ts';

export const libraries = (): Promise<Library[]> => get('/libraries');
export const createLibrary = (body: Partial<LibraryFields> & Pick<LibraryFields, 'name' | 'root_path'>): Promise<Library> =>
  post('/libraries', body);
export const updateLibrary = (id: string, body: Partial<LibraryFields> & { enabled?: boolean }): Promise<Library> =>
  patch(`/libraries/${id}`, body);
export const deleteLibrary = (id: string, confirm: string): Promise<void> => remove(`/libraries/${id}`, { confirm });
export const libraryStats = (): Promise<{ libraries: LibraryStats[]; total_files: number; total_bytes: number }> => get('/stats/libraries');
export const libraryErrors = (id: string): Promise<{ items: ExtractError[]; count?: number; total?: number }> =>
  get(`/libraries/${id}/errors`, { limit: 200 });
export const retryExtracts = (id: string): Promise<{ retried: number }> => post(`/libraries/${id}/retry-extracts`);
export const explainPath = (id: string, path: string): Promise<Explanation> => get(`/libraries/${id}/explain`, { path });
export const tree = (
  id: string,
  path: string,
  page: { limit?: number; offset?: number; folders_offset?: number } = {},
): Promise<TreeResponse> => get(`/libraries/${id}/tree`, { path, limit: 200, ...page });

export const startScan = (id: string, forceEmpty = false): Promise<{ scan_id: string; job_id: string; status: string }> =>
  post(`/libraries/${id}/scan`, undefined, forceEmpty ? { force_empty: true } : undefined);
export const scanFolder = (id: string, path: string): Promise<{ scan_id: string }> =>
  post(`/libraries/${id}/scan/targeted`, { path, recursive: true });
export const stopScan = (id: string): Promise<{ status: string }> => post(`/scans/${id}/stop`);
export const scans = (query: { library_id?: string; status?: string; limit?: number }): Promise<Page<Scan>> => get('/scans', query);
export const scan = (id: string): Promise<Scan> => get(`/scans/${id}`);
export const scanDiff = (
  a: string,
  b: string,
  query: { kind?: string | undefined; cursor?: string | undefined; limit?: number },
): Promise<Page<ScanChange> & { counts?: Record<string, number> }> => get(`/scans/${a}/diff/${b}`, query);

export const browseFolders = (path: string): Promise<FsBrowse> => get('/fs/browse', { path });

export const item = (id: string): Promise<Item> => get(`/items/${id}`);
export const patchItem = (id: string, body: ItemPatch): Promise<Item> => patch(`/items/${id}`, body);
export const patchItems = (body: Record<string, ItemPatch>): Promise<{ results: Record<string, unknown> }> => post('/items/batch', body);
export const trashItem = (id: string): Promise<void> => remove(`/items/${id}`);
export const restoreItem = (id: string): Promise<Item> => post(`/items/${id}/restore`);
export const touchItem = (id: string): Promise<void> => post(`/items/${id}/touch`);
export const itemCopies = (id: string): Promise<ItemCopies> => get(`/items/${id}/copies`);
export const itemHistory = async (id: string): Promise<ItemVersion[]> => {
  const page = await get<Page<ItemVersion> | ItemVersion[]>(`/items/${id}/history`);
  return Array.isArray(page) ? page : page.items;
};
export const thumbUrl = (id: string, tier: 'grid' | 'preview' = 'grid'): string => `/api/v1/items/${id}/thumb?tier=${tier}`;
export const contentUrl = (id: string, download = false): string => `/api/v1/items/${id}/content${download ? '?download=true' : ''}`;

export const presets = (): Promise<{ presets: Preset[] }> => get('/presets');
export const createPreset = (body: { name: string; label: string; patterns: string[]; caveat?: string | null }): Promise<Preset> =>
  post('/presets', body);
export const updatePreset = (name: string, body: { label?: string; patterns?: string[]; caveat?: string | null }): Promise<Preset> =>
  patch(`/presets/${encodeURIComponent(name)}`, body);
export const deletePreset = (name: string): Promise<void> => remove(`/presets/${encodeURIComponent(name)}`);
export const forkPreset = (name: string, body: { name: string; label?: string }): Promise<Preset> =>
  post(`/presets/${encodeURIComponent(name)}/fork`, body);

export const taxonomy = (): Promise<Taxonomy> => get('/taxonomy');
export const createCategory = (body: { key: string; label: string; description?: string; extractor?: string | null }): Promise<unknown> =>
  post('/taxonomy/categories', body);
export const updateCategory = (key: string, body: { label?: string; description?: string }): Promise<unknown> =>
  patch(`/taxonomy/categories/${key}`, body);
export const deleteCategory = (key: string): Promise<unknown> => remove(`/taxonomy/categories/${key}`);
export const createGroup = (body: { key: string; label: string; category: string; description?: string }): Promise<unknown> =>
  post('/taxonomy/groups', body);
export const updateGroup = (key: string, body: { label?: string; category?: string; description?: string }): Promise<unknown> =>
  patch(`/taxonomy/groups/${key}`, body);
export const deleteGroup = (key: string): Promise<unknown> => remove(`/taxonomy/groups/${key}`);
export const addExtension = (group: string, ext: string): Promise<{ previous_group?: string | null }> =>
  post(`/taxonomy/groups/${group}/extensions`, { ext });
export const removeExtension = (group: string, ext: string): Promise<unknown> =>
  remove(`/taxonomy/groups/${group}/extensions/${encodeURIComponent(ext)}`);

export const timeline = (query: { library?: string | undefined; bucket: 'month' | 'year' }): Promise<Timeline> =>
  get('/stats/timeline', query);
