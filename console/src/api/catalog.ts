import { compareNames } from '../format/lists.ts';
import { serverText } from '../language/text.ts';
import { body, client } from './client.ts';
import type {
  ArchivePlan,
  CustomField,
  Explanation,
  FolderCount,
  FsBrowse,
  Item,
  ItemPatch,
  ItemVersion,
  Library,
  LibraryFields,
  LibraryStats,
  Preset,
  QueryParams,
  RequestBody,
  Scan,
  ScanDiff,
  Taxonomy,
  TreeResponse,
} from './types.ts';

/** Receives a form, so that the browser saves the archive while it arrives. */
export const ARCHIVE_URL = '/api/v1/items/archive';
export const planArchive = (item_ids: string[], signal: AbortSignal): Promise<ArchivePlan> =>
  body(client.POST('/api/v1/items/archive/plan', { body: { item_ids }, signal }));

const inLibrary = (library_id: string) => ({ path: { library_id } });
const ofItem = (item_id: string) => ({ path: { item_id } });

export const libraries = async (): Promise<Library[]> =>
  (await body(client.GET('/api/v1/libraries'))).sort((a, b) => compareNames(a.name, b.name));
export const createLibrary = (library: LibraryFields): Promise<Library> => body(client.POST('/api/v1/libraries', { body: library }));
export const updateLibrary = (id: string, change: RequestBody<'/api/v1/libraries/{library_id}', 'patch'>): Promise<Library> =>
  body(client.PATCH('/api/v1/libraries/{library_id}', { params: inLibrary(id), body: change }));
export const deleteLibrary = (id: string, confirm: string) =>
  body(client.DELETE('/api/v1/libraries/{library_id}', { params: { ...inLibrary(id), query: { confirm } } }));
export const libraryErrors = (id: string) =>
  body(client.GET('/api/v1/libraries/{library_id}/errors', { params: { ...inLibrary(id), query: { limit: 200 } } }));
type TreeQuery = QueryParams<'/api/v1/libraries/{library_id}/tree', 'get'>;
export const tree = (id: string, path: string, query: TreeQuery, signal?: AbortSignal): Promise<TreeResponse> =>
  body(
    client.GET('/api/v1/libraries/{library_id}/tree', { params: { ...inLibrary(id), query: { path, ...query } }, signal: signal ?? null }),
  );
export const libraryStats = (): Promise<{ libraries: LibraryStats[]; total_files: number; total_bytes: number }> =>
  body(client.GET('/api/v1/stats/libraries'));
export const retryExtracts = (id: string) => body(client.POST('/api/v1/libraries/{library_id}/retry-extracts', { params: inLibrary(id) }));
export const explainPath = (id: string, path: string): Promise<Explanation> =>
  body(client.GET('/api/v1/libraries/{library_id}/explain', { params: { ...inLibrary(id), query: { path } } }));

export const startScan = (id: string, force_empty = false) =>
  body(client.POST('/api/v1/libraries/{library_id}/scan', { params: { ...inLibrary(id), query: force_empty ? { force_empty } : {} } }));
export const scanFolder = (id: string, path: string) =>
  body(client.POST('/api/v1/libraries/{library_id}/scan/targeted', { params: inLibrary(id), body: { path } }));
export const stopScan = (scan_id: string) => body(client.POST('/api/v1/scans/{scan_id}/stop', { params: { path: { scan_id } } }));
export const scans = (query: QueryParams<'/api/v1/scans', 'get'>): Promise<{ items: Scan[]; total: number }> =>
  body(client.GET('/api/v1/scans', { params: { query } }));
export const scan = (scan_id: string): Promise<Scan> => body(client.GET('/api/v1/scans/{scan_id}', { params: { path: { scan_id } } }));
/** The API also sends lines, but only when asked to. */
export const scanDiff = (scan_id: string, other_id: string, cursor: string | undefined): Promise<ScanDiff> =>
  body(
    client.GET('/api/v1/scans/{scan_id}/diff/{other_id}', {
      params: { path: { scan_id, other_id }, query: { limit: 200, ...(cursor ? { cursor } : {}) } },
    }),
  ) as Promise<ScanDiff>;

export const clearScan = (scan_id: string) => body(client.POST('/api/v1/scans/{scan_id}/force-clear', { params: { path: { scan_id } } }));
export const hashStatus = () => body(client.GET('/api/v1/libraries/hash-status'));
export const rehashLibrary = (id: string) => body(client.POST('/api/v1/libraries/{library_id}/rehash', { params: inLibrary(id) }));
export const diagnoseLibrary = (id: string) => body(client.GET('/api/v1/libraries/{library_id}/diagnose', { params: inLibrary(id) }));

export const unattached = () => body(client.GET('/api/v1/items/unattached', { params: { query: { limit: 20 } } }));
export const attachTo = (item_id: string, to: string) =>
  body(client.POST('/api/v1/items/{item_id}/attach', { params: { path: { item_id } }, body: { to } }));

export const scanPaths = (id: string) => body(client.GET('/api/v1/libraries/{library_id}/scan-paths', { params: inLibrary(id) }));
export const addScanPath = (id: string, path: RequestBody<'/api/v1/libraries/{library_id}/scan-paths', 'post'>) =>
  body(client.POST('/api/v1/libraries/{library_id}/scan-paths', { params: inLibrary(id), body: path }));
export const removeScanPath = (library_id: string, scan_path_id: string) =>
  body(client.DELETE('/api/v1/libraries/{library_id}/scan-paths/{scan_path_id}', { params: { path: { library_id, scan_path_id } } }));

export const browseFolders = (path: string): Promise<FsBrowse> =>
  body(client.GET('/api/v1/fs/browse', { params: { query: path ? { path } : {} } }));
export const countFiles = (path: string, signal: AbortSignal): Promise<FolderCount> =>
  body(client.GET('/api/v1/fs/count', { params: { query: { path } }, signal }));

export const item = (id: string): Promise<Item> => body(client.GET('/api/v1/items/{item_id}', { params: ofItem(id) }));
export const patchItem = (id: string, change: ItemPatch): Promise<Item> =>
  body(client.PATCH('/api/v1/items/{item_id}', { params: ofItem(id), body: change }));
export const patchItems = (changes: Record<string, ItemPatch>) =>
  body(client.POST('/api/v1/items/batch', { body: changes as RequestBody<'/api/v1/items/batch', 'post'> }));
export const trashItem = (id: string) => body(client.DELETE('/api/v1/items/{item_id}', { params: ofItem(id) }));
export const restoreItem = (id: string): Promise<Item> => body(client.POST('/api/v1/items/{item_id}/restore', { params: ofItem(id) }));
export const touchItem = (id: string) => body(client.POST('/api/v1/items/{item_id}/touch', { params: ofItem(id) }));
export const itemThread = (id: string) => body(client.GET('/api/v1/items/{item_id}/thread', { params: ofItem(id) }));
export const itemCopies = (id: string) => body(client.GET('/api/v1/items/{item_id}/copies', { params: ofItem(id) }));
export const itemHistory = async (id: string): Promise<ItemVersion[]> =>
  (await body(client.GET('/api/v1/items/{item_id}/history', { params: { ...ofItem(id), query: { limit: 100 } } }))).items;
export const sidecarsOf = async (id: string): Promise<{ id: string; filename: string }[]> =>
  (await body(client.GET('/api/v1/items', { params: { query: { sidecar_of: id, limit: 20 } } }))).items;
export const customFields = (category: string, library_id: string): Promise<CustomField[]> =>
  body(client.GET('/api/v1/custom-fields', { params: { query: { applies_to: category, library_id } } }));
export const itemDigests = (id: string) =>
  body(client.POST('/api/v1/items/{item_id}/digests', { params: { ...ofItem(id), query: { algorithms: 'md5,sha1,sha512' } } }));
/** The text extracted from a file. */
export const itemText = (id: string, signal: AbortSignal) =>
  body(client.GET('/api/v1/items/{item_id}/text', { params: ofItem(id), signal }));
export const similarItems = (id: string) =>
  body(client.GET('/api/v1/items/{item_id}/similar', { params: { ...ofItem(id), query: { limit: 12 } } }));
export const pageWords = (id: string, page: number, signal: AbortSignal) =>
  body(client.GET('/api/v1/items/{item_id}/pages/{page}/words', { params: { path: { item_id: id, page } }, signal }));
export const pageUrl = (id: string, page: number, width: number): string => `/api/v1/items/${id}/pages/${page}?width=${width}`;
export const turntableUrl = (id: string): string => `/api/v1/items/${id}/turntable`;
/** With a version the browser may cache the image; without one it revalidates on every use. */
export const thumbUrl = (id: string, tier: 'grid' | 'preview' = 'grid', version?: string): string =>
  `/api/v1/items/${id}/thumb?tier=${tier}${version ? `&v=${encodeURIComponent(version)}` : ''}`;
export const fileUrl = (id: string, download = false): string => `/api/v1/items/${id}/file${download ? '?download=true' : ''}`;

export const presets = async (): Promise<{ presets: Preset[] }> => {
  const { presets: all } = await body(client.GET('/api/v1/presets'));
  return {
    presets: all.map((preset) =>
      preset.builtin ? { ...preset, label: serverText(preset.label), caveat: preset.caveat && serverText(preset.caveat) } : preset,
    ),
  };
};
export const createPreset = (preset: RequestBody<'/api/v1/presets', 'post'>): Promise<Preset> =>
  body(client.POST('/api/v1/presets', { body: preset }));
export const updatePreset = (name: string, change: RequestBody<'/api/v1/presets/{name}', 'patch'>): Promise<Preset> =>
  body(client.PATCH('/api/v1/presets/{name}', { params: { path: { name } }, body: change }));
export const deletePreset = (name: string) => body(client.DELETE('/api/v1/presets/{name}', { params: { path: { name } } }));
export const forkPreset = (name: string, fork: RequestBody<'/api/v1/presets/{name}/fork', 'post'>): Promise<Preset> =>
  body(client.POST('/api/v1/presets/{name}/fork', { params: { path: { name } }, body: fork }));

export const taxonomy = (): Promise<Taxonomy> => body(client.GET('/api/v1/taxonomy'));
export const createCategory = (category: RequestBody<'/api/v1/taxonomy/categories', 'post'>) =>
  body(client.POST('/api/v1/taxonomy/categories', { body: category }));
export const deleteCategory = (key: string) => body(client.DELETE('/api/v1/taxonomy/categories/{key}', { params: { path: { key } } }));
export const createFileGroup = (group: RequestBody<'/api/v1/taxonomy/groups', 'post'>) =>
  body(client.POST('/api/v1/taxonomy/groups', { body: group }));
export const deleteFileGroup = (key: string) => body(client.DELETE('/api/v1/taxonomy/groups/{key}', { params: { path: { key } } }));
export const addExtension = (key: string, ext: string) =>
  body(client.POST('/api/v1/taxonomy/groups/{key}/extensions', { params: { path: { key } }, body: { ext } }));
export const removeExtension = (key: string, ext: string) =>
  body(client.DELETE('/api/v1/taxonomy/groups/{key}/extensions/{ext}', { params: { path: { key, ext } } }));

export const updateCategory = (key: string, change: RequestBody<'/api/v1/taxonomy/categories/{key}', 'patch'>) =>
  body(client.PATCH('/api/v1/taxonomy/categories/{key}', { params: { path: { key } }, body: change }));
export const updateFileGroup = (key: string, change: RequestBody<'/api/v1/taxonomy/groups/{key}', 'patch'>) =>
  body(client.PATCH('/api/v1/taxonomy/groups/{key}', { params: { path: { key } }, body: change }));
/** Adds the built-in entries this catalog lacks; with dry_run it only lists them. */
export const syncTaxonomy = (dry_run: boolean) => body(client.POST('/api/v1/taxonomy/sync-seed', { params: { query: { dry_run } } }));
export const reclassify = () => body(client.POST('/api/v1/system/reclassify-extensions'));

export const allCustomFields = (): Promise<CustomField[]> => body(client.GET('/api/v1/custom-fields', { params: { query: {} } }));
export const createCustomField = (field: RequestBody<'/api/v1/custom-fields', 'post'>): Promise<CustomField> =>
  body(client.POST('/api/v1/custom-fields', { body: field }));
export const updateCustomField = (
  field_id: string,
  change: RequestBody<'/api/v1/custom-fields/{field_id}', 'patch'>,
): Promise<CustomField> => body(client.PATCH('/api/v1/custom-fields/{field_id}', { params: { path: { field_id } }, body: change }));
export const deleteCustomField = (field_id: string) =>
  body(client.DELETE('/api/v1/custom-fields/{field_id}', { params: { path: { field_id } } }));
