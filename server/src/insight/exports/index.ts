export { markDigestsDelivered } from './changes.ts';
export { exportFile, exportFolder } from './files.ts';
export { formatNames } from './formats/index.ts';
export { ExportOut, ExportParams, fileName, presentExport } from './schemas.ts';
export { createExportService, type ExportService, type FileReply, fileChoice } from './service.ts';
export { type ExportSource, openSource, type ReportParams, type SourceContext } from './sources.ts';
export { type ExportRow, findExport, setDelivery } from './store.ts';
