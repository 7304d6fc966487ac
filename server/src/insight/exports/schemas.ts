import { type Static, Type } from 'typebox';
import { Id, JsonObject, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { fileParameters } from '../reports/index.ts';
import { describeFormat, type FormatName, formatNames } from './formats/index.ts';
import type { ExportRow } from './store.ts';

const FormatSchema = Type.Enum([...formatNames]);

/** Query parameters of every route that queues an export. */
export const ExportParams = Type.Object(
  { format: Type.Optional(FormatSchema), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })), ...fileParameters },
  noExtraFields,
);

export const ExportOut = Type.Object(
  {
    id: Id,
    status: Type.Enum(['queued', 'running', 'complete', 'failed', 'cancelled']),
    title: Type.String(),
    format: FormatSchema,
    gzip: Type.Boolean(),
    source: JsonObject,
    canned_report_key: nullable(Type.String()),
    report_definition_id: nullable(Id),
    triggered_by: Type.Enum(['manual', 'schedule']),
    owner_name: Type.String(),
    progress: nullable(Type.Object({ rows: Type.Integer(), total: nullable(Type.Integer()), bytes: Type.Integer() })),
    row_count: nullable(Type.Integer()),
    file_size_bytes: nullable(Type.Integer()),
    file_name: Type.String(),
    sha256: nullable(Type.String()),
    error: nullable(Type.String()),
    delivery_status: nullable(Type.Enum(['pending', 'delivered', 'failed', 'skipped'])),
    created_at: Time,
    started_at: nullable(Time),
    finished_at: nullable(Time),
    expires_at: nullable(Time),
    purged_at: nullable(Time),
    downloadable: Type.Boolean(),
    rights_changed: Type.Boolean({
      description: 'True when it was made with rights that the caller no longer has. It cannot be downloaded then.',
    }),
    download_url: nullable(Type.String()),
  },
  { title: 'Export' },
);

export function presentExport(row: ExportRow, { rightsChanged = false } = {}): Static<typeof ExportOut> {
  const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
  const downloadable = row.status === 'complete' && row.purged_at === null && !rightsChanged;
  return {
    id: row.id,
    status: row.status,
    title: row.title,
    format: row.format,
    gzip: row.gzip,
    source: row.source,
    canned_report_key: row.canned_report_key,
    report_definition_id: row.report_definition_id,
    triggered_by: row.triggered_by,
    owner_name: row.owner_name,
    progress: row.status === 'running' ? readProgress(row.progress) : null,
    row_count: row.row_count,
    file_size_bytes: row.file_size_bytes,
    file_name: fileName(row.title, row.created_at, row.format, row.gzip),
    sha256: row.sha256,
    error: row.error,
    delivery_status: row.delivery_status,
    created_at: row.created_at.toISOString(),
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
    expires_at: iso(row.expires_at),
    purged_at: iso(row.purged_at),
    downloadable,
    rights_changed: rightsChanged,
    download_url: downloadable ? `/api/v1/exports/${row.id}/download` : null,
  };
}

function readProgress(progress: Record<string, unknown> | null) {
  const { rows, total, bytes } = progress ?? {};
  return { rows: Number(rows ?? 0), total: typeof total === 'number' ? total : null, bytes: Number(bytes ?? 0) };
}

/** catalog-<name>-<YYYYMMDD>.<format>; only letters, digits and dashes of the name are kept. */
export function fileName(name: string, at: Date, format: FormatName, gzip: boolean): string {
  const stem =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 80) || 'export';
  return `catalog-${stem}-${at.toISOString().slice(0, 10).replaceAll('-', '')}.${describeFormat(format, gzip).extension}`;
}
