import type { Readable } from 'node:stream';
import { stillAllows, visibilityOf } from '../../people/access/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import { ownedBy, ownerOf, owns } from '../../people/identity/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { abortJob, enqueue } from '../../platform/queue/index.ts';
import type { RowSource } from '../reports/index.ts';
import { endAbandoned } from './abandoned.ts';
import { exportFolder, removeExport } from './files.ts';
import { describeFormat, encodeSource, type FormatName } from './formats/index.ts';
import { exportJob } from './job.ts';
import { fileName } from './schemas.ts';
import type { ExportSource } from './sources.ts';
import { countOpen, type ExportRow, findExport, insertExport, listExports, markEnded, markPurged, setJob } from './store.ts';

export interface FileChoice {
  format: FormatName;
  gzip: boolean;
  byteOrderMark: boolean;
}

/** A file that is sent instead of JSON. */
export type FileReply = Readable;

export function fileChoice({
  format,
  gzip = false,
  bom = false,
}: {
  format: FormatName;
  gzip?: boolean | undefined;
  bom?: boolean | undefined;
}): FileChoice {
  if (gzip && format === 'xlsx') throw fieldProblem(['query', 'gzip'], 'XLSX is compressed already. Leave out gzip.', 'not_supported');
  if (bom && format !== 'csv') throw fieldProblem(['query', 'bom'], 'Only CSV has a byte order mark. Leave out bom.', 'not_supported');
  return { format, gzip, byteOrderMark: bom };
}

export type ExportService = ReturnType<typeof createExportService>;

export function createExportService({ db, settings, clock }: Dependencies) {
  const folder = exportFolder(settings);

  /** Administrators see all exports; everybody else sees their own, a limited key those made with it. Others do not exist. */
  const readable = async (principal: Principal, id: string): Promise<ExportRow> => {
    await endAbandoned(db, folder);
    const row = await findExport(db, id);
    if (!row || !(isAdmin(principal) || owns(principal, row))) throw notFound('export');
    return row;
  };

  return {
    /** A file that is produced while it is sent. Larger ones belong in the background, where they survive a lost connection. */
    async openFile(
      source: RowSource,
      { format, gzip, byteOrderMark }: FileChoice,
      principal: Principal,
      ip: string,
    ): Promise<{ headers: Record<string, string>; stream: Readable }> {
      const total = await source.total();
      if (total === null || total > settings.exportDirectMaxRows)
        throw problem(
          'export_too_large',
          `This export has ${total === null ? 'too many' : total} rows; at most ${settings.exportDirectMaxRows} are sent directly. Export it in the background or narrow it down.`,
        );
      const now = clock.now();
      await recordEvent(db, {
        event_type: 'report_export_downloaded',
        principal_id: principal.id,
        ip,
        details: { title: source.title, format, rows: total, direct: true },
      });
      const { mediaType } = describeFormat(format, gzip);
      return {
        headers: { 'content-type': mediaType, 'content-disposition': `attachment; filename="${fileName(source.name, now, format, gzip)}"` },
        stream: encodeSource(source, format, { gzip, byteOrderMark, generatedAt: now }),
      };
    },

    async queue(
      principal: Principal,
      {
        source,
        title,
        format,
        gzip,
        byteOrderMark,
        schedule = null,
      }: FileChoice & { source: ExportSource; title: string; schedule?: string | null },
    ): Promise<ExportRow> {
      await endAbandoned(db, folder);
      if (schedule === null && (await countOpen(db, principal.id)) >= settings.exportMaxActive)
        throw problem(
          'too_many_exports',
          `You already have ${settings.exportMaxActive} exports waiting or running. Wait for one of them, or cancel it.`,
        );
      const id = await db.transaction().execute(async (transaction) => {
        const created = await insertExport(transaction, {
          source,
          title,
          format,
          gzip,
          owner: ownerOf(principal),
          ownerName: principal.name,
          triggeredBy: schedule === null ? 'manual' : 'schedule',
          scheduleId: schedule,
        });
        const job = await enqueue(
          transaction,
          exportJob,
          { export_id: created, byte_order_mark: byteOrderMark },
          { lock: `export ${created}` },
        );
        if (job !== null) await setJob(transaction, created, job);
        return created;
      });
      const row = await findExport(db, id);
      if (!row) throw notFound('export');
      return row;
    },

    async list(principal: Principal, page: { limit: number; offset: number }): Promise<ExportRow[]> {
      await endAbandoned(db, folder);
      return listExports(db, { ...ownedBy(principal), all: isAdmin(principal), ...page });
    },
    readable,

    /** Tells of each export whether its file shows what the caller may no longer see. */
    async rightsCheck(principal: Principal): Promise<(row: ExportRow) => boolean> {
      const visibility = await visibilityOf(db, principal);
      return ({ status, rights }) => status === 'complete' && !stillAllows(visibility, rights);
    },

    /** A waiting export ends at once, a running one at its next batch; its partial file is removed. */
    async cancel(principal: Principal, id: string): Promise<ExportRow> {
      const row = await readable(principal, id);
      if (!(await markEnded(db, id, 'cancelled', 'Cancelled.')))
        throw problem('export_ended', 'This export has already ended. There is nothing to cancel.');
      if (row.job_id !== null) await abortJob(db, row.job_id);
      return readable(principal, id);
    },

    /** Removes the file; the record stays. */
    async remove(principal: Principal, id: string): Promise<void> {
      const row = await readable(principal, id);
      if (row.status === 'queued' || row.status === 'running')
        throw problem('export_not_ready', 'This export is still running. Cancel it first.');
      await markPurged(db, id);
      await removeExport(folder, id);
    },
  };
}

const isAdmin = ({ scopes }: Principal): boolean => hasScope(scopes, 'admin');
