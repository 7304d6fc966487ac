import type { paths } from './schema.d.ts';

/** Names for the API's request and response types, all derived from the generated OpenAPI types. */
type JsonOf<R> = R extends { content: { 'application/json': infer J } } ? J : never;
type SuccessBody<R> = R extends { 200: infer A }
  ? JsonOf<A>
  : R extends { 201: infer A }
    ? JsonOf<A>
    : R extends { 202: infer A }
      ? JsonOf<A>
      : never;
type ResponseBody<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { responses: infer R } ? SuccessBody<R> : never;
export type RequestBody<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { requestBody?: infer B }
  ? JsonOf<NonNullable<B>>
  : never;
export type QueryParams<P extends keyof paths, M extends keyof paths[P]> = paths[P][M] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never;

export type Category = 'image' | 'audio' | 'video' | 'document' | 'three-d-cad' | 'development' | 'archive' | 'system' | 'other';

export type AuthStatus = ResponseBody<'/api/v1/auth/status', 'get'>;
export type ArchivePlan = ResponseBody<'/api/v1/items/archive/plan', 'post'>;
export type Principal = ResponseBody<'/api/v1/auth/me', 'get'>;
export type Session = ResponseBody<'/api/v1/auth/sessions', 'get'>[number];
export type ApiKey = ResponseBody<'/api/v1/api-keys', 'get'>['keys'][number];
export type Role = ResponseBody<'/api/v1/rbac/roles', 'get'>[number];
export type AccessOverview = ResponseBody<'/api/v1/rbac/people/{principal_id}', 'get'>;
export type Group = ResponseBody<'/api/v1/rbac/groups', 'get'>[number];
export type Grant = ResponseBody<'/api/v1/rbac/grants', 'get'>[number];
export type ServiceAccount = ResponseBody<'/api/v1/service-accounts', 'get'>['items'][number];
export type SecurityEvent = ResponseBody<'/api/v1/audit', 'get'>['events'][number];

export type Library = ResponseBody<'/api/v1/libraries', 'get'>[number];
export type LibraryFields = RequestBody<'/api/v1/libraries', 'post'>;
export type HashPolicy = Library['hash_policy'];
export type TreeResponse = ResponseBody<'/api/v1/libraries/{library_id}/tree', 'get'>;
export type TreeFolder = TreeResponse['folders'][number];
export type ExtractError = ResponseBody<'/api/v1/libraries/{library_id}/errors', 'get'>['items'][number];
export type Preset = ResponseBody<'/api/v1/presets', 'get'>['presets'][number];
export type Taxonomy = ResponseBody<'/api/v1/taxonomy', 'get'>;
export type TaxonomyCategory = Taxonomy['tree'][number];
export type TaxonomyGroup = TaxonomyCategory['groups'][number];

export type LibraryStats = ResponseBody<'/api/v1/stats/libraries', 'get'>['libraries'][number];
export type Explanation = ResponseBody<'/api/v1/libraries/{library_id}/explain', 'get'>;
export type FsBrowse = ResponseBody<'/api/v1/fs/browse', 'get'>;
export type FsFolder = FsBrowse['dirs'][number];
export type FolderCount = ResponseBody<'/api/v1/fs/count', 'get'>;

export type Scan = ResponseBody<'/api/v1/scans/{scan_id}', 'get'>;
export type ScanDiff = ResponseBody<'/api/v1/scans/{scan_id}/diff/{other_id}', 'get'>;
export type ScanChange = ScanDiff['items'][number];

/** What a scan that a guard stopped would have changed. */
export type ScanGuard = NonNullable<Scan['guard']>;

export type About = ResponseBody<'/api/v1/system/about', 'get'>;
export type Stats = ResponseBody<'/api/v1/stats', 'get'>;
export type Disk = ResponseBody<'/api/v1/system/disk', 'get'>;

export type Item = ResponseBody<'/api/v1/items/{item_id}', 'get'>;
export type ItemPatch = RequestBody<'/api/v1/items/{item_id}', 'patch'>;
export type ItemPermissions = ResponseBody<'/api/v1/items/{item_id}/permissions', 'get'>;
export type FilePrincipal = ItemPermissions['access'][number]['principal'];
export type ReadableFolders = ResponseBody<'/api/v1/permissions/readable-folders', 'get'>;
export type ReadableFolder = ReadableFolders['children'][number];
export type ItemVersion = ResponseBody<'/api/v1/items/{item_id}/history', 'get'>['items'][number];
export type CustomField = ResponseBody<'/api/v1/custom-fields', 'get'>[number];

export type SearchResponse = ResponseBody<'/api/v1/search', 'get'>;
export type SearchHit = SearchResponse['hits'][number];
export type HistogramBar = SearchResponse['histograms'][string][number];
export type SearchTimeline = ResponseBody<'/api/v1/search/timeline', 'get'>;
export type SearchParams = QueryParams<'/api/v1/search', 'get'>;

export type PassageFile = ResponseBody<'/api/v1/search/passages', 'get'>['files'][number];
export type SavedSearch = ResponseBody<'/api/v1/saved-searches', 'get'>[number];
export type SavedParams = NonNullable<RequestBody<'/api/v1/saved-searches', 'post'>['params']>;

export type JobSummary = ResponseBody<'/api/v1/system/jobs/summary', 'get'>;
export type Job = ResponseBody<'/api/v1/system/jobs', 'get'>['items'][number];
export type RunningJob = JobSummary['running'][number];
export type MaintenanceTask = ResponseBody<'/api/v1/system/maintenance', 'get'>['tasks'][number];

export type Report = ResponseBody<'/api/v1/reports', 'get'>['reports'][number];
export type ReportField = Report['fields'][number];
export type ReportRun = ResponseBody<'/api/v1/reports/{report_id}', 'get'>;
export type CustomReport = ResponseBody<'/api/v1/custom-reports/{report_id}', 'get'>;
export type CustomReportFields = RequestBody<'/api/v1/custom-reports', 'post'>;
export type CustomReportRun = ResponseBody<'/api/v1/custom-reports/preview', 'post'>;
export type ExportRecord = ResponseBody<'/api/v1/exports/{export_id}', 'get'>;
export type ExportFormat = ExportRecord['format'];
export type Alert = ResponseBody<'/api/v1/alerts', 'get'>['items'][number];
export type ShareEntry = ResponseBody<'/api/v1/system/share-map', 'get'>[number];
export type BackupTarget = ResponseBody<'/api/v1/system/backup-targets', 'get'>[number];
export type Backup = ResponseBody<'/api/v1/system/backups', 'get'>['bundles'][number];
export type Agent = ResponseBody<'/api/v1/agents', 'get'>['items'][number];
export type AgentCommand = ResponseBody<'/api/v1/agent-commands', 'get'>[number];
export type ConfigRollout = ResponseBody<'/api/v1/agents/config-rollouts', 'get'>[number];
export type ReleaseRollout = ResponseBody<'/api/v1/agent-release-rollouts', 'get'>[number];
export type AgentRelease = ResponseBody<'/api/v1/agent-releases', 'get'>['releases'][number];
export type Transfer = ResponseBody<'/api/v1/transfers', 'get'>[number];
export type AgentShareMap = ResponseBody<'/api/v1/agent-share-maps', 'get'>[number];
export type EffectiveConfig = ResponseBody<'/api/v1/agents/{agent_id}/effective-config', 'get'>;
export type ConfigGroup = ResponseBody<'/api/v1/agents/config-groups', 'get'>[number];
export type AgentDetails = ResponseBody<'/api/v1/agents/{agent_id}', 'get'>;
export type AlertRule = ResponseBody<'/api/v1/alert-rules', 'get'>[number];
export type AlertChannel = ResponseBody<'/api/v1/alert-channels', 'get'>[number];
export type AlertSilence = ResponseBody<'/api/v1/alert-silences', 'get'>[number];
export type CleanupPlan = ResponseBody<'/api/v1/duplicates/plan', 'get'>;
export type KeepRule = CleanupPlan['rules'][number];
export type DuplicateGroup = ResponseBody<'/api/v1/duplicates/groups', 'get'>['groups'][number];
export type DuplicateCopy = ResponseBody<'/api/v1/duplicates/groups/{key}', 'get'>['copies'][number];
export type IntegritySummary = ResponseBody<'/api/v1/integrity', 'get'>;
export type IntegritySettings = RequestBody<'/api/v1/integrity/settings', 'put'>;
export type IntegrityEvent = ResponseBody<'/api/v1/integrity/events', 'get'>['events'][number];
export type ReportSchedule = ResponseBody<'/api/v1/report-schedules/{schedule_id}', 'get'>;
export type ScheduleRun = ResponseBody<'/api/v1/report-schedules/{schedule_id}/runs', 'get'>['runs'][number];
