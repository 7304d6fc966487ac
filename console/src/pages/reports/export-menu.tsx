import { useQueryClient } from '@tanstack/react-query';
import { Braces, CalendarClock, ChevronDown, Code, Download, FileSpreadsheet, FileText, Link, Printer, Table2 } from 'lucide-react';
import { errorMessage } from '../../api/problem.ts';
import type { ExportFormat, ExportRecord } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { copyText } from '../../components/copy-button.tsx';
import { LazyMenu } from '../../components/lazy-menu.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';

const FORMATS = [
  { format: 'xlsx', label: t('Spreadsheet (XLSX)'), icon: FileSpreadsheet },
  { format: 'csv', label: 'CSV', icon: FileText },
  { format: 'ndjson', label: 'NDJSON', icon: Code },
  { format: 'xml', label: 'XML', icon: Table2 },
] as const satisfies { format: ExportFormat; label: string; icon: typeof Code }[];

/** Exports up to this many rows are downloaded at once; larger ones run in the background. The default of SVC_EXPORT_DIRECT_MAX_ROWS. */
const DIRECT_ROWS = 100_000;

interface ExportMenuProps {
  /** Rows of the export; null when they are not counted. */
  total: number | null;
  /** The address of the file in this format. */
  directUrl: (format: ExportFormat) => string;
  inBackground: (format: ExportFormat) => Promise<ExportRecord>;
  variant?: 'primary' | 'ghost';
  size?: 's' | 'm';
  /** Offers a link to this view, and to print it. */
  link?: boolean;
  /** The address of the rows as JSON. */
  jsonUrl?: string;
  /** Where to schedule this report. */
  scheduleHref?: string;
}

/** Export of what the page shows, filters included. */
export function ExportMenu({ total, directUrl, inBackground, variant, size = 'm', link = false, jsonUrl, scheduleHref }: ExportMenuProps) {
  const client = useQueryClient();
  const { mayDownload, maySchedule } = useSession();
  const direct = total !== null && total <= DIRECT_ROWS;
  const queue = async (format: ExportFormat) => {
    try {
      await inBackground(format);
      await client.invalidateQueries({ queryKey: ['exports'] });
      toast(t('The export runs in the background. Find it under Reports, Exports.'));
    } catch (error) {
      toast(errorMessage(error));
    }
  };
  const heading = mayDownload
    ? [
        total === null ? t('Export all rows') : t('Export {n|# row|# rows}', { n: total }),
        ...(link ? [t('filters included')] : []),
        ...(total === null || direct ? [] : [t('in the background')]),
      ].join(', ')
    : t('Your permissions do not allow downloads, and an export is one. Ask an administrator for access.');
  // Without the right to download, only what needs no file is left: to print, copy the link and read the rows as JSON.
  if (!mayDownload && !link) return null;
  return (
    <LazyMenu
      position="bottom-end"
      width={280}
      target={
        <Button {...(variant && { variant })} size={size} data-export>
          <Download size={16} aria-hidden />
          {t('Export')}
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{heading}</Menu.Label>
          {mayDownload &&
            FORMATS.map(({ format, label, icon: Icon }) => (
              <Menu.Item
                key={format}
                leftSection={<Icon size={16} aria-hidden />}
                rightSection={total === null ? null : <span className="meta muted">{formatCount(total)}</span>}
                {...(direct ? { component: 'a' as const, href: directUrl(format), download: '' } : { onClick: () => void queue(format) })}
              >
                {label}
              </Menu.Item>
            ))}
          {link && (
            <Menu.Item leftSection={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
              {t('PDF or print, with chart')}
            </Menu.Item>
          )}
          <Menu.Divider />
          {jsonUrl && (
            <Menu.Item component="a" href={jsonUrl} target="_blank" rel="noreferrer" leftSection={<Braces size={16} aria-hidden />}>
              {t('JSON from the API')}
            </Menu.Item>
          )}
          {direct && mayDownload && (
            <Menu.Item leftSection={<FileText size={16} aria-hidden />} onClick={() => void queue('csv')}>
              {t('CSV in the background')}
            </Menu.Item>
          )}
          {link && (
            <Menu.Item
              leftSection={<Link size={16} aria-hidden />}
              onClick={() =>
                void copyText(location.href).then(
                  () => toast(t('Link copied')),
                  () => toast(t('The browser did not allow copying. Copy the address instead.')),
                )
              }
            >
              {t('Copy link with filters')}
            </Menu.Item>
          )}
          {scheduleHref && maySchedule && (
            <Menu.Item component="a" href={scheduleHref} leftSection={<CalendarClock size={16} aria-hidden />}>
              {t('Send regularly…')}
            </Menu.Item>
          )}
          <Menu.Item component="a" href="#/reports/exports" leftSection={<Download size={16} aria-hidden />}>
            {t('Show all exports')}
          </Menu.Item>
        </>
      )}
    </LazyMenu>
  );
}
