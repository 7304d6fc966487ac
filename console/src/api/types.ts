import type { paths } from './schema.d.ts';

/** The shapes of the service's answers under the names the console uses. They are read out of the generated document; nothing is written by hand that it declares. */
type Json<R> = R extends { content: { 'application/json': infer J } } ? J : never;
type Good<R> = R extends { 200: infer A } ? Json<A> : R extends { 201: infer A } ? Json<A> : R extends { 202: infer A } ? Json<A> : never;
type Answer<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { responses: infer R } ? Good<R> : never;
export type Body<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { requestBody?: infer B }
  ? Json<NonNullable<B>>
  : never;
export type Query<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never;

export type Category = 'image' | 'audio' | 'video' | 'document' | 'three-d-cad' | 'development' | 'archive' | 'system' | 'other';

export type AuthStatus = Answer<'/api/v1/auth/status', 'get'>;
export type Principal = Answer<'/api/v1/auth/me', 'get'>;
export type Session = Answer<'/api/v1/auth/sessions', 'get'>[number];
export type ApiKey = Answer<'/api/v1/api-keys', 'get'>['keys'][number];
export type Role = Answer<'/api/v1/rbac/roles', 'get'>[number];
export type Group = Answer<'/api/v1/rbac/groups', 'get'>[number];
export type Grant = Answer<'/api/v1/rbac/grants', 'get'>[number];
export type ServiceAccount = Answer<'/api/v1/service-accounts', 'get'>['items'][number];
export type SecurityEvent = Answer<'/api/v1/audit', 'get'>['events'][number];

export type Library = Answer<'/api/v1/libraries', 'get'>[number];
export type LibraryFields = Body<'/api/v1/libraries', 'post'>;
export type HashPolicy = Library['hash_policy'];
export type TreeResponse = Answer<'/api/v1/libraries/{library_id}/tree', 'get'>;
export type TreeFolder = TreeResponse['folders'][number];
export type ExtractError = Answer<'/api/v1/libraries/{library_id}/errors', 'get'>['items'][number];
export type Preset = Answer<'/api/v1/presets', 'get'>['presets'][number];
export type Taxonomy = Answer<'/api/v1/taxonomy', 'get'>;
export type TaxonomyCategory = Taxonomy['tree'][number];
export type TaxonomyGroup = TaxonomyCategory['groups'][number];

export type LibraryStats = Answer<'/api/v1/stats/libraries', 'get'>['libraries'][number];
export type Explanation = Answer<'/api/v1/libraries/{library_id}/explain', 'get'>;
export type FsBrowse = Answer<'/api/v1/fs/browse', 'get'>;
export type FsFolder = FsBrowse['dirs'][number];
export type FolderCount = Answer<'/api/v1/fs/count', 'get'>;
export type Timeline = Answer<'/api/v1/stats/timeline', 'get'>;
export type TimelineBucket = Timeline['buckets'][number];

export type Scan = Answer<'/api/v1/scans/{scan_id}', 'get'>;
export type ScanChange = Answer<'/api/v1/scans/{scan_id}/diff/{other_id}', 'get'>['items'][number];

/** What a scan that held itself back would have done. */
export type ScanGuard = NonNullable<Scan['guard']>;

export type About = Answer<'/api/v1/system/about', 'get'>;
export type Disk = Answer<'/api/v1/system/disk', 'get'>;

export type Item = Answer<'/api/v1/items/{item_id}', 'get'>;
export type ItemPatch = Body<'/api/v1/items/{item_id}', 'patch'>;
export type ItemVersion = Answer<'/api/v1/items/{item_id}/history', 'get'>['items'][number];
export type CustomField = Answer<'/api/v1/custom-fields', 'get'>[number];

export type SearchResponse = Answer<'/api/v1/search', 'get'>;
export type SearchHit = SearchResponse['hits'][number];
export type HistogramBar = SearchResponse['histograms'][string][number];
export type SearchParams = Query<'/api/v1/search', 'get'>;

export type SavedSearch = Answer<'/api/v1/saved-searches', 'get'>[number];
export type SavedParams = NonNullable<Body<'/api/v1/saved-searches', 'post'>['params']>;

export type JobSummary = Answer<'/api/v1/system/jobs/summary', 'get'>;
export type Job = Answer<'/api/v1/system/jobs', 'get'>['items'][number];
export type RunningJob = JobSummary['running'][number];
export type LogRow = Answer<'/api/v1/system/logs', 'get'>['logs'][number];
export type UpkeepTask = Answer<'/api/v1/system/maintenance', 'get'>['tasks'][number];
