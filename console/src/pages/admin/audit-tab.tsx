import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './admin-page.module.css';
import { detailText, eventLabel } from './labels.ts';

export function AuditTab() {
  const [typed, setTyped] = useState('');
  const [person, setPerson] = useState<string | null>(null);
  const [from, setFrom] = useState('');
  const [type] = useDebouncedValue(typed.trim().toLowerCase().replaceAll(' ', '_'), 300);
  const users = useQuery({ queryKey: ['users'], queryFn: people.users, staleTime: 30_000 });
  const services = useQuery({ queryKey: ['service-accounts'], queryFn: people.serviceAccounts, staleTime: 30_000 });
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups, staleTime: 30_000 });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const events = useInfiniteQuery({
    queryKey: ['audit', type, person, from],
    queryFn: ({ pageParam }) =>
      people.audit({
        event_type: type || undefined,
        principal_id: person ?? undefined,
        // The beginning of the day in the time zone in which the events are shown.
        since: from ? new Date(`${from}T00:00`).toISOString() : undefined,
        cursor: pageParam,
        limit: 100,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const rows = events.data?.pages.flatMap((page) => page.events) ?? [];
  const names = new Map([
    ...(users.data ?? []).map((one) => [one.id, one.username] as const),
    ...(services.data ?? []).map((one) => [one.id, one.name] as const),
  ]);
  const mentioned = new Map([...names, ...[...(groups.data ?? []), ...(libraries.data ?? [])].map((one) => [one.id, one.name] as const)]);
  const missing = users.data && services.data ? t('Deleted account') : '…';
  const who = (id: string | null, attempted: string | null) =>
    (id === null ? null : names.get(id)) ?? attempted ?? (id === null ? t('System') : missing);
  return (
    <Card title={t('Audit log')}>
      <div className={s.filters}>
        <Select
          size="sm"
          aria-label={t('Person')}
          placeholder={t('Everyone')}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear person') }}
          data={[...names].map(([value, label]) => ({ value, label }))}
          value={person}
          onChange={setPerson}
        />
        <TextInput size="sm" type="date" aria-label={t('Since')} value={from} onChange={(e) => setFrom(e.currentTarget.value)} />
        <TextInput
          size="sm"
          aria-label={t('Event type')}
          placeholder={t('Event type, e.g. login_failure')}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
        />
      </div>
      {events.error && !events.data ? (
        <ErrorState error={events.error} retry={() => void events.refetch()} />
      ) : !events.data ? (
        <Loading what={t('events')} />
      ) : (
        <Table
          rows={rows}
          keyOf={(event) => String(event.id)}
          columns={[
            { head: t('Time'), className: 'nw t2', cell: (event) => formatRecent(event.ts) },
            { head: t('Event'), className: 'm5', cell: (event) => eventLabel(event.event_type) },
            { head: t('Person'), cell: (event) => who(event.principal_id, event.username_attempted) },
            { head: t('IP address'), className: 't2', cell: (event) => event.ip ?? '' },
            {
              head: t('Details'),
              className: 't2 anywhere',
              title: (event) => (event.details ? JSON.stringify(event.details) : undefined),
              cell: (event) => <bdi>{detailText(event.details, mentioned)}</bdi>,
            },
          ]}
        />
      )}
      {events.data && rows.length === 0 && <p className="muted">{t('No matching events.')}</p>}
      {events.hasNextPage && (
        <Button style={{ marginTop: 12 }} onClick={() => void events.fetchNextPage()} disabled={events.isFetchingNextPage}>
          {t('Load older events')}
        </Button>
      )}
      {events.isFetchNextPageError && <ErrorNote error={events.error} />}
    </Card>
  );
}
