import { get, post } from './request.ts';
import type { Job, JobState, LogPage, Page, Stats, Version } from './types.ts';

export const jobs = (query: { state?: JobState; queue?: string; task?: string; limit?: number; cursor?: string }): Promise<Page<Job>> =>
  get('/system/jobs', query);
export const abortJob = (id: string): Promise<unknown> => post(`/system/jobs/${id}/abort`);
export const retryJob = (id: string): Promise<unknown> => post(`/system/jobs/${id}/retry`);
export const clearFailedJobs = (queue?: string): Promise<{ deleted: number }> => post('/system/jobs/clear-failed', queue ? { queue } : {});
export const stats = (): Promise<Stats> => get('/stats');
export const logs = (query: {
  min_level?: string;
  source?: string | undefined;
  q?: string | undefined;
  limit?: number;
  before_id?: number;
}): Promise<LogPage> => get('/system/logs', query);
export const maintenanceMode = (): Promise<{ active: boolean; reason: string | null; started_at: string | null }> =>
  get('/system/maintenance-mode');
export const setMaintenanceMode = (active: boolean, reason?: string): Promise<unknown> =>
  post('/system/maintenance-mode', { active, reason });
export const version = (): Promise<Version> => get('/version');
