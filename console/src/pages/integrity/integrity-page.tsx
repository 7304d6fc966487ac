import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, FileX, Settings2 } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/integrity.ts';
import type { IntegrityEvent, IntegritySummary } from '../../api/types.ts';
import { Button, ButtonLink, LinkButton, TextLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { formatDate, formatDateTime } from '../../format/dates.ts';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { useSession } from '../../shell/session.tsx';
import s from './integrity.module.css';
import { SettingsDialog } from './settings-dialog.tsx';

/** How much of the stored content was read again, and what no longer has the content it was hashed with. */
export default function IntegrityPage() {
  const { can } = useSession();
  const [editing, setEditing] = useState(false);
  const summary = useQuery({ queryKey: ['integrity'], queryFn: api.integrity });
  if (summary.error && !summary.data) return <ErrorState error={summary.error} retry={() => void summary.refetch()} />;
  if (!summary.data) return <Loading what="integrity" />;
  const { enabled, open_events, settings } = summary.data;
  return (
    <Page
      back={{ href: '#/reports', label: 'Reports' }}
      title="Integrity"
      lead={lead(summary.data)}
      actions={
        <>
          <StatusText
            tone={open_events > 0 ? 'danger' : enabled ? 'ok' : 'idle'}
            icon={open_events > 0 ? FileX : enabled ? CircleCheck : CircleSlash}
          >
            {open_events > 0 ? `${pluralize(open_events, 'damaged file')}` : enabled ? 'On' : 'Off'}
          </StatusText>
          <ButtonLink href="#/reports/possible_bit_rot">Show as report</ButtonLink>
          {settings && (
            <Button variant={enabled ? 'default' : 'primary'} onClick={() => setEditing(true)}>
              <Settings2 size={16} aria-hidden />
              {enabled ? 'Change' : 'Switch on'}
            </Button>
          )}
        </>
      }
    >
      <div className={s.stack}>
        <EventsCard mayAccept={can('admin')} enabled={enabled} />
        <AgesCard summary={summary.data} />
      </div>
      {editing && settings && <SettingsDialog settings={settings} onClose={() => setEditing(false)} />}
    </Page>
  );
}

function lead({ enabled, settings }: IntegritySummary): string {
  const what = 'Catalog reads files again and compares them with the hash of their content.';
  if (!enabled) return `${what} This is off${settings ? '' : '; an administrator can switch it on'}.`;
  if (!settings) return what;
  return `${what} Up to ${formatBytes(settings.bytes_per_day)} a day at ${settings.rate_mbps} MB/s, each file every ${settings.every_days} days. ${formatBytes(settings.bytes_left_today)} are left today.`;
}

const CLOSED: Record<Exclude<IntegrityEvent['state'], 'open'>, string> = {
  restored: 'Good content again',
  replaced: 'Replaced by a new version',
  accepted: 'Accepted',
  gone: 'File is gone',
};

function EventsCard({ mayAccept, enabled }: { mayAccept: boolean; enabled: boolean }) {
  const client = useQueryClient();
  const [state, setState] = useState<'open' | 'closed'>('open');
  const [accepting, setAccepting] = useState<IntegrityEvent | null>(null);
  const events = useQuery({ queryKey: ['integrity', 'events', state], queryFn: () => api.integrityEvents(state) });
  return (
    <Card
      title="Damaged files"
      aside={
        <Segmented
          label="State"
          value={state}
          onChange={setState}
          options={[
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
          ]}
        />
      }
    >
      <ErrorNote error={events.error} />
      {!events.data && !events.error && <Loading what="events" />}
      {events.data?.length === 0 && (
        <EmptyState title={state === 'closed' ? 'Nothing closed yet' : enabled ? 'No damage found' : 'Not checking'}>
          {state === 'open'
            ? enabled
              ? 'Every file that was read again has the content it was hashed with.'
              : 'Files are not read again while this is off, so damage would not be noticed.'
            : 'Restored, replaced and accepted files appear here.'}
        </EmptyState>
      )}
      <ul className={s.events}>
        {events.data?.map((event) => (
          <li key={event.id}>
            <div className={s.file}>
              <TextLink href={`#/item/${event.item_id}`}>
                <bdi>{visibleName(`${event.library}/${event.rel_path}`)}</bdi>
              </TextLink>
              <span className={s.small}>
                {formatBytes(event.size)}, found {formatDateTime(event.found_at)}
                {event.state !== 'open' && `. ${CLOSED[event.state]}${event.closed_by ? ` by ${event.closed_by}` : ''}`}
              </span>
            </div>
            <dl className={s.hashes}>
              <dt>Good</dt>
              <dd>{event.expected_hash}</dd>
              <dt>Found</dt>
              <dd>{event.found_hash}</dd>
            </dl>
            {event.state === 'open' && (
              <div className={s.copies}>
                {event.good_copies.length === 0 ? (
                  <StatusText tone="danger" icon={FileX}>
                    No good copy in the catalog. Look in your backups.
                  </StatusText>
                ) : (
                  <>
                    <StatusText tone="ok" icon={CircleCheck}>
                      {pluralize(event.good_copies.length, 'good copy', 'good copies')}
                    </StatusText>
                    {event.good_copies.slice(0, 3).map((copy) => (
                      <span key={copy.item_id} className={s.small}>
                        <TextLink href={`#/item/${copy.item_id}`}>
                          <bdi>{visibleName(`${copy.library}/${copy.rel_path}`)}</bdi>
                        </TextLink>
                        , {copy.last_verified_at ? `read again ${formatDate(copy.last_verified_at)}` : 'not read again yet'}
                      </span>
                    ))}
                  </>
                )}
                {mayAccept && <LinkButton onClick={() => setAccepting(event)}>Accept the content found</LinkButton>}
              </div>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={accepting !== null}
        title="Accept the content found?"
        confirm="Accept content"
        danger
        onConfirm={async () => {
          if (accepting) await api.acceptContent(accepting.id);
          await client.invalidateQueries({ queryKey: ['integrity'] });
        }}
        onClose={() => setAccepting(null)}
      >
        The catalog takes the bytes on disk as the right ones from now on and forgets the good hash. The file itself is not changed.
      </ConfirmDialog>
    </Card>
  );
}

const AGES = [
  { key: 'month', label: '30 days', color: 'var(--ok-fill)' },
  { key: 'quarter', label: '90 days', color: 'var(--active-fill)' },
  { key: 'year', label: '1 year', color: 'var(--accent)' },
  { key: 'older', label: 'Longer ago', color: 'var(--warn-fill)' },
  { key: 'never', label: 'Never', color: 'var(--idle-fill)' },
] as const;

function AgesCard({ summary }: { summary: IntegritySummary }) {
  return (
    <Card title="Read again, by library">
      {summary.libraries.length === 0 ? (
        <EmptyState title="No hashed files">Files are hashed by scans. Add a library and scan it first.</EmptyState>
      ) : (
        <>
          <div className={s.legend} aria-hidden>
            {AGES.map(({ key, label, color }) => (
              <span key={key}>
                <i style={{ background: color }} />
                {label}
              </span>
            ))}
          </div>
          <Table
            rows={summary.libraries}
            keyOf={(row) => row.library_id}
            columns={[
              { head: 'Library', className: 'm5', cell: (row) => row.library },
              { head: 'Within a year', cell: (row) => `${Math.floor(row.verified_percent)}%` },
              {
                head: 'By age',
                cell: (row) => (
                  <span
                    className={s.bar}
                    role="img"
                    aria-label={AGES.map(({ key, label }) => `${label}: ${formatCount(row[key])}`).join(', ')}
                  >
                    {AGES.map(({ key, color }) => (
                      <i key={key} style={{ flex: row[key], background: color }} />
                    ))}
                  </span>
                ),
              },
              { head: 'Files', cell: (row) => formatCount(row.files), wideOnly: true },
              { head: 'Size', cell: (row) => formatBytes(row.bytes), wideOnly: true },
              { head: 'Oldest reading', cell: (row) => (row.oldest ? formatDate(row.oldest) : ''), wideOnly: true },
            ]}
          />
        </>
      )}
    </Card>
  );
}
