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
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './integrity.module.css';
import { SettingsDialog } from './settings-dialog.tsx';

/** How much of the stored content was read again, and what no longer has the content it was hashed with. */
export default function IntegrityPage() {
  const { can } = useSession();
  const [editing, setEditing] = useState(false);
  const summary = useQuery({ queryKey: ['integrity'], queryFn: api.integrity });
  if (summary.error && !summary.data) return <ErrorState error={summary.error} retry={() => void summary.refetch()} />;
  if (!summary.data) return <Loading what={t('integrity')} />;
  const { enabled, open_events, settings } = summary.data;
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={t('Integrity')}
      lead={lead(summary.data)}
      actions={
        <>
          <StatusText
            tone={open_events > 0 ? 'danger' : enabled ? 'ok' : 'idle'}
            icon={open_events > 0 ? FileX : enabled ? CircleCheck : CircleSlash}
          >
            {open_events > 0 ? `${t('{n|# damaged file|# damaged files}', { n: open_events })}` : enabled ? t('On') : t('Off')}
          </StatusText>
          <ButtonLink href="#/reports/possible_bit_rot">{t('Show as report')}</ButtonLink>
          {settings && (
            <Button variant={enabled ? 'default' : 'primary'} onClick={() => setEditing(true)}>
              <Settings2 size={16} aria-hidden />
              {enabled ? t('Change') : t('Switch on')}
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
  const what = t('Catalog reads files again and compares them with the hash of their content.');
  if (!enabled) return `${what} ${settings ? t('This is off.') : t('This is off; an administrator can switch it on.')}`;
  if (!settings) return what;
  const budget = t('Up to {size} a day at {rate} MB/s, each file every {n|day|# days}. {left} are left today.', {
    size: formatBytes(settings.bytes_per_day),
    rate: settings.rate_mbps,
    n: settings.every_days,
    left: formatBytes(settings.bytes_left_today),
  });
  return `${what} ${budget}`;
}

const CLOSED: Record<Exclude<IntegrityEvent['state'], 'open'>, string> = {
  restored: t('Good content again'),
  replaced: t('Replaced by a new version'),
  accepted: t('Accepted'),
  gone: t('File is gone'),
};

function EventsCard({ mayAccept, enabled }: { mayAccept: boolean; enabled: boolean }) {
  const client = useQueryClient();
  const [state, setState] = useState<'open' | 'closed'>('open');
  const [accepting, setAccepting] = useState<IntegrityEvent | null>(null);
  const events = useQuery({ queryKey: ['integrity', 'events', state], queryFn: () => api.integrityEvents(state) });
  return (
    <Card
      title={t('Damaged files')}
      aside={
        <Segmented
          label={t('State')}
          value={state}
          onChange={setState}
          options={[
            { value: 'open', label: t('Unresolved') },
            { value: 'closed', label: t('Closed') },
          ]}
        />
      }
    >
      <ErrorNote error={events.error} />
      {!events.data && !events.error && <Loading what={t('events')} />}
      {events.data?.length === 0 && (
        <EmptyState title={state === 'closed' ? t('Nothing closed yet') : enabled ? t('No damage found') : t('Not checking')}>
          {state === 'open'
            ? enabled
              ? t('Every file that was read again has the content it was hashed with.')
              : t('Files are not read again while this is off, so damage would not be noticed.')
            : t('Restored, replaced and accepted files appear here.')}
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
                {t('{size}, found {found_at}', { size: formatBytes(event.size), found_at: formatDateTime(event.found_at) })}
                {event.state !== 'open' &&
                  `. ${CLOSED[event.state]}${event.closed_by ? ` ${t('by {closed_by}', { closed_by: event.closed_by })}` : ''}`}
              </span>
            </div>
            <dl className={s.hashes}>
              <dt>{t('Good')}</dt>
              <dd>{event.expected_hash}</dd>
              <dt>{t('Found')}</dt>
              <dd>{event.found_hash}</dd>
            </dl>
            {event.state === 'open' && (
              <div className={s.copies}>
                {event.good_copies.length === 0 ? (
                  <StatusText tone="danger" icon={FileX}>
                    {t('No good copy in the catalog. Look in your backups.')}
                  </StatusText>
                ) : (
                  <>
                    <StatusText tone="ok" icon={CircleCheck}>
                      {t('{n|# good copy|# good copies}', { n: event.good_copies.length })}
                    </StatusText>
                    {event.good_copies.slice(0, 3).map((copy) => (
                      <span key={copy.item_id} className={s.small}>
                        <TextLink href={`#/item/${copy.item_id}`}>
                          <bdi>{visibleName(`${copy.library}/${copy.rel_path}`)}</bdi>
                        </TextLink>
                        ,{' '}
                        {copy.last_verified_at
                          ? t('read again {last_verified_at}', { last_verified_at: formatDate(copy.last_verified_at) })
                          : t('not read again yet')}
                      </span>
                    ))}
                  </>
                )}
                {mayAccept && <LinkButton onClick={() => setAccepting(event)}>{t('Accept the content found')}</LinkButton>}
              </div>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={accepting !== null}
        title={t('Accept the content found?')}
        confirm={t('Accept content')}
        danger
        onConfirm={async () => {
          if (accepting) await api.acceptContent(accepting.id);
          await client.invalidateQueries({ queryKey: ['integrity'] });
        }}
        onClose={() => setAccepting(null)}
      >
        {t('The catalog takes the bytes on disk as the right ones from now on and forgets the good hash. The file itself is not changed.')}
      </ConfirmDialog>
    </Card>
  );
}

const AGES = [
  { key: 'month', label: t('30 days'), color: 'var(--ok-fill)' },
  { key: 'quarter', label: t('90 days'), color: 'var(--active-fill)' },
  { key: 'year', label: t('1 year'), color: 'var(--accent)' },
  { key: 'older', label: t('Longer ago'), color: 'var(--warn-fill)' },
  { key: 'never', label: t('Never'), color: 'var(--idle-fill)' },
] as const;

function AgesCard({ summary }: { summary: IntegritySummary }) {
  return (
    <Card title={t('Read again, by library')}>
      {summary.libraries.length === 0 ? (
        <EmptyState title={t('No hashed files')}>{t('Files are hashed by scans. Add a library and scan it first.')}</EmptyState>
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
              { head: t('Library'), className: 'm5', cell: (row) => row.library },
              { head: t('Within a year'), cell: (row) => `${Math.floor(row.verified_percent)}%` },
              {
                head: t('By age'),
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
              { head: t('Files'), cell: (row) => formatCount(row.files), wideOnly: true },
              { head: t('Size'), cell: (row) => formatBytes(row.bytes), wideOnly: true },
              { head: t('Oldest reading'), cell: (row) => (row.oldest ? formatDate(row.oldest) : ''), wideOnly: true },
            ]}
          />
        </>
      )}
    </Card>
  );
}
