import { serverText } from '../language/text.ts';
import { body, client, transport } from './client.ts';
import type { About, Disk, Job, JobSummary, MaintenanceTask, QueryParams, RequestBody, ShareEntry, Stats } from './types.ts';

export const jobSummary = (): Promise<JobSummary> => body(client.GET('/api/v1/system/jobs/summary'));
export const jobs = (query: QueryParams<'/api/v1/system/jobs', 'get'>): Promise<{ items: Job[]; total: number }> =>
  body(client.GET('/api/v1/system/jobs', { params: { query } }));
export const abortJob = (job_id: string) => body(client.POST('/api/v1/system/jobs/{job_id}/abort', { params: { path: { job_id } } }));
export const retryJob = (job_id: string) => body(client.POST('/api/v1/system/jobs/{job_id}/retry', { params: { path: { job_id } } }));
export const logs = (query: QueryParams<'/api/v1/system/logs', 'get'>) => body(client.GET('/api/v1/system/logs', { params: { query } }));
export const maintenanceMode = () => body(client.GET('/api/v1/system/maintenance-mode'));
export const setMaintenanceMode = (active: boolean, reason: string | null) =>
  body(client.POST('/api/v1/system/maintenance-mode', { body: { active, reason } }));
export const version = () => body(client.GET('/api/v1/version'));
export const about = (): Promise<About> => body(client.GET('/api/v1/system/about'));
export const stats = (): Promise<Stats> => body(client.GET('/api/v1/stats'));
export const disk = (): Promise<Disk> => body(client.GET('/api/v1/system/disk'));
export const maintenanceTasks = async (): Promise<MaintenanceTask[]> =>
  (await body(client.GET('/api/v1/system/maintenance'))).tasks.map((task) => ({
    ...task,
    title: serverText(task.title),
    description: serverText(task.description),
  }));
export const updateMaintenanceTask = (task: string, change: RequestBody<'/api/v1/system/maintenance/{task}', 'patch'>) =>
  body(client.PATCH('/api/v1/system/maintenance/{task}', { params: { path: { task } }, body: change }));
export const runMaintenanceTask = (task: string) =>
  body(client.POST('/api/v1/system/maintenance/{task}/run', { params: { path: { task } } }));
export const rebuildIndex = () => body(client.POST('/api/v1/system/rebuild-index'));
export const retryAllExtracts = () => body(client.POST('/api/v1/system/retry-extracts'));
export const embeddings = () => body(client.GET('/api/v1/system/embeddings'));
export const pauseEmbeddings = (paused: boolean) => body(client.PUT('/api/v1/system/embeddings/paused', { body: { paused } }));
export const updateCheck = () => body(client.GET('/api/v1/system/update-check'));
export const checkForUpdate = () => body(client.POST('/api/v1/system/update-check'));
export const backups = () => body(client.GET('/api/v1/system/backups'));
export const backUpNow = () => body(client.POST('/api/v1/system/backup'));
export const verifyBackup = (name: string) => body(client.POST('/api/v1/system/backups/{name}/verify', { params: { path: { name } } }));
/** Adds a backup that was downloaded before. The file is sent as it is. */
export const addBackup = (file: File) =>
  transport(
    new Request(new URL('/api/v1/system/backups', location.origin), {
      method: 'POST',
      body: file,
      headers: { 'content-type': 'application/x-tar' },
      credentials: 'same-origin',
    }),
  );
export const deleteBackup = (name: string) => body(client.DELETE('/api/v1/system/backups/{name}', { params: { path: { name } } }));
export const backupTargets = () => body(client.GET('/api/v1/system/backup-targets'));
export const addBackupTarget = (target: RequestBody<'/api/v1/system/backup-targets', 'post'>) =>
  body(client.POST('/api/v1/system/backup-targets', { body: target }));
export const changeBackupTarget = (target_id: string, change: RequestBody<'/api/v1/system/backup-targets/{target_id}', 'patch'>) =>
  body(client.PATCH('/api/v1/system/backup-targets/{target_id}', { params: { path: { target_id } }, body: change }));
export const removeBackupTarget = (target_id: string) =>
  body(client.DELETE('/api/v1/system/backup-targets/{target_id}', { params: { path: { target_id } } }));
export const testBackupTarget = (target_id: string) =>
  body(client.POST('/api/v1/system/backup-targets/{target_id}/test', { params: { path: { target_id } } }));
export const copyBackups = (target_id: string) =>
  body(client.POST('/api/v1/system/backup-targets/{target_id}/copy', { params: { path: { target_id } } }));
export const shareMap = () => body(client.GET('/api/v1/system/share-map'));
type ShareEntries = RequestBody<'/api/v1/system/share-map', 'put'>['entries'];
/** Saves nothing and fails (409) if somebody else has changed the map since `expected` was read. */
export const saveShareMap = (entries: ShareEntries, expected: ShareEntry[]) =>
  body(client.PUT('/api/v1/system/share-map', { body: { entries, expected } }));
export const previewShareMap = (entries: ShareEntries) => body(client.POST('/api/v1/system/share-map/preview', { body: { entries } }));
