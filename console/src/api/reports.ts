import { serverText } from '../language/text.ts';
import { body, client } from './client.ts';
import type {
  CustomReport,
  CustomReportFields,
  CustomReportRun,
  ExportFormat,
  ExportRecord,
  QueryParams,
  Report,
  ReportRun,
  RequestBody,
} from './types.ts';

const inLanguage = (report: Report): Report => ({
  ...report,
  title: serverText(report.title),
  description: serverText(report.description),
  threshold_label: report.threshold_label && serverText(report.threshold_label),
  fields: report.fields.map((field) => ({ ...field, label: serverText(field.label) })),
});

export const reports = async (): Promise<Report[]> => (await body(client.GET('/api/v1/reports'))).reports.map(inLanguage);
export type RunParams = QueryParams<'/api/v1/reports/{report_id}', 'get'>;
export const runReport = async (report_id: string, query: RunParams, signal?: AbortSignal): Promise<ReportRun> => {
  const run = await body(client.GET('/api/v1/reports/{report_id}', { params: { path: { report_id }, query }, signal: signal ?? null }));
  return { ...run, report: inLanguage(run.report) };
};
export const exportReport = (report_id: string, query: QueryParams<'/api/v1/reports/{report_id}/export', 'post'>): Promise<ExportRecord> =>
  body(client.POST('/api/v1/reports/{report_id}/export', { params: { path: { report_id }, query } }));
export const folderTree = (library_id: string, limit: number) =>
  body(client.GET('/api/v1/reports/folder-tree', { params: { query: { library_id, limit } } }));

export const reportPins = async (): Promise<string[]> => (await body(client.GET('/api/v1/report-pins'))).reports;
export const pinReport = async (report_id: string): Promise<string[]> =>
  (await body(client.PUT('/api/v1/report-pins/{report_id}', { params: { path: { report_id } } }))).reports;
export const unpinReport = async (report_id: string): Promise<string[]> =>
  (await body(client.DELETE('/api/v1/report-pins/{report_id}', { params: { path: { report_id } } }))).reports;

export const customReports = (): Promise<CustomReport[]> => body(client.GET('/api/v1/custom-reports'));
export const customReport = (report_id: string): Promise<CustomReport> =>
  body(client.GET('/api/v1/custom-reports/{report_id}', { params: { path: { report_id } } }));
export const createCustomReport = (fields: CustomReportFields): Promise<CustomReport> =>
  body(client.POST('/api/v1/custom-reports', { body: fields }));
export const updateCustomReport = (
  report_id: string,
  fields: RequestBody<'/api/v1/custom-reports/{report_id}', 'patch'>,
): Promise<CustomReport> => body(client.PATCH('/api/v1/custom-reports/{report_id}', { params: { path: { report_id } }, body: fields }));
export const copyCustomReport = (report_id: string): Promise<CustomReport> =>
  body(client.POST('/api/v1/custom-reports/{report_id}/copy', { params: { path: { report_id } }, body: {} }));
export const deleteCustomReport = (report_id: string) =>
  body(client.DELETE('/api/v1/custom-reports/{report_id}', { params: { path: { report_id } } }));
export const customReportColumns = () => body(client.GET('/api/v1/custom-reports/columns'));
export const previewCustomReport = (
  shape: RequestBody<'/api/v1/custom-reports/preview', 'post'>,
  signal: AbortSignal,
): Promise<CustomReportRun> => body(client.POST('/api/v1/custom-reports/preview', { body: shape, signal }));
export const exportCustomReport = (report_id: string, format: ExportFormat): Promise<ExportRecord> =>
  body(client.POST('/api/v1/custom-reports/{report_id}/export', { params: { path: { report_id }, query: { format } } }));

export const exportRecords = async (): Promise<ExportRecord[]> =>
  (await body(client.GET('/api/v1/exports', { params: { query: { limit: 100 } } }))).exports;
export const startExport = (request: RequestBody<'/api/v1/exports', 'post'>): Promise<ExportRecord> =>
  body(client.POST('/api/v1/exports', { body: request }));
export const cancelExport = (export_id: string) =>
  body(client.POST('/api/v1/exports/{export_id}/cancel', { params: { path: { export_id } } }));
export const removeExport = (export_id: string) => body(client.DELETE('/api/v1/exports/{export_id}', { params: { path: { export_id } } }));
