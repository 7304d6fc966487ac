export { formatNames } from './formats/index.ts';
export { ExportOut, ExportParams, presentExport } from './schemas.ts';
export { createExportService, type ExportService, type FileReply, fileChoice } from './service.ts';
