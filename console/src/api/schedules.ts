import { body, client } from './client.ts';
import type { ReportSchedule, RequestBody, ScheduleRun } from './types.ts';

export type ScheduleFields = RequestBody<'/api/v1/report-schedules', 'post'>;
export const schedules = (): Promise<ReportSchedule[]> => body(client.GET('/api/v1/report-schedules'));
export const createSchedule = (fields: ScheduleFields): Promise<ReportSchedule> =>
  body(client.POST('/api/v1/report-schedules', { body: fields }));
export const updateSchedule = (
  schedule_id: string,
  fields: RequestBody<'/api/v1/report-schedules/{schedule_id}', 'patch'>,
): Promise<ReportSchedule> =>
  body(client.PATCH('/api/v1/report-schedules/{schedule_id}', { params: { path: { schedule_id } }, body: fields }));
export const deleteSchedule = (schedule_id: string) =>
  body(client.DELETE('/api/v1/report-schedules/{schedule_id}', { params: { path: { schedule_id } } }));
export const runSchedule = (schedule_id: string): Promise<ScheduleRun> =>
  body(client.POST('/api/v1/report-schedules/{schedule_id}/run', { params: { path: { schedule_id } } }));
export const scheduleRuns = async (schedule_id: string): Promise<ScheduleRun[]> =>
  (await body(client.GET('/api/v1/report-schedules/{schedule_id}/runs', { params: { path: { schedule_id }, query: { limit: 50 } } }))).runs;
export const scheduleChannels = () => body(client.GET('/api/v1/report-schedules/channels'));
export const nextTimes = async (cron: string): Promise<string[]> =>
  (await body(client.GET('/api/v1/report-schedules/next', { params: { query: { cron } } }))).times;
