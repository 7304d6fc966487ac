import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import * as operations from '../../api/operations.ts';
import type { ShareEntry } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import s from './shares-tab.module.css';

type Row = Pick<ShareEntry, 'container_prefix' | 'share_url'> & { unc: string };
type Entries = Parameters<typeof operations.saveShareMap>[0];

const toRow = ({ container_prefix, share_url, unc }: ShareEntry): Row => ({ container_prefix, share_url, unc: unc ?? '' });

/** The share map: which network address people use for a folder of this server, with a preview per library before it is saved. */
export function SharesTab() {
  const stored = useQuery({ queryKey: ['share-map'], queryFn: operations.shareMap });
  if (stored.error && !stored.data) return <ErrorState error={stored.error} retry={() => void stored.refetch()} />;
  if (!stored.data) return <Loading what={t('network addresses')} />;
  // Another key only for other addresses, so that what is typed stays when the same ones are fetched again.
  return <Editor key={JSON.stringify(stored.data)} stored={stored.data} />;
}

function Editor({ stored }: { stored: readonly ShareEntry[] }) {
  const client = useQueryClient();
  const [rows, setRows] = useState<Row[]>(stored.map(toRow));
  const entries: Entries = rows.map((row, at) => {
    const before = stored.find(({ container_prefix }) => container_prefix === row.container_prefix) ?? stored[at];
    return { ...row, unc: row.unc.trim() || null, storage_type: before?.storage_type ?? null, host: before?.host ?? null };
  });
  const complete = rows.every(({ container_prefix, share_url }) => container_prefix.trim() !== '' && share_url.trim() !== '');
  const change = (at: number, part: Partial<Row>) => setRows(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <div className="col g4">
      <p className="t2">
        {t(
          'Folders of this server and the addresses under which people reach them. Each file then shows a link for its network address, its Windows path and its file address.',
        )}
      </p>
      <Card title={t('Network addresses')} headingId="shares">
        <Form
          layout="card"
          submit={t('Save addresses')}
          ready={complete}
          save={() => operations.saveShareMap(entries)}
          onSaved={() => {
            toast(t('Network addresses saved'));
            return client.invalidateQueries({ queryKey: ['share-map'] });
          }}
        >
          {() => (
            <>
              {rows.length === 0 && <p className="t2">{t('No addresses yet. Files show their path on this server only.')}</p>}
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: Rows have no identity besides their position.
                <div key={at} className={s.row} data-wide role="group" aria-label={t('Address {at}', { at: at + 1 })}>
                  <TextInput
                    label={t('Folder')}
                    placeholder="/data/photos"
                    value={row.container_prefix}
                    onChange={(event) => change(at, { container_prefix: event.currentTarget.value })}
                  />
                  <TextInput
                    label={t('Network address')}
                    placeholder="smb://nas/photos"
                    value={row.share_url}
                    onChange={(event) => change(at, { share_url: event.currentTarget.value })}
                  />
                  <TextInput
                    label={t('Windows path')}
                    placeholder={t('Derived from the address')}
                    value={row.unc}
                    onChange={(event) => change(at, { unc: event.currentTarget.value })}
                  />
                  <IconButton
                    label={t('Remove address {at}', { at: at + 1 })}
                    onClick={() => setRows(rows.filter((_row, index) => index !== at))}
                  >
                    <Trash2 size={16} aria-hidden />
                  </IconButton>
                </div>
              ))}
              <div>
                <Button onClick={() => setRows([...rows, { container_prefix: '', share_url: '', unc: '' }])}>
                  <Plus size={16} aria-hidden />
                  {t('Add address')}
                </Button>
              </div>
            </>
          )}
        </Form>
      </Card>
      {complete && <Preview entries={entries} />}
    </div>
  );
}

function Preview({ entries }: { entries: Entries }) {
  const preview = useQuery({
    queryKey: ['share-map', 'preview', entries],
    queryFn: () => operations.previewShareMap(entries),
    placeholderData: (before) => before,
    retry: false,
  });
  return (
    <Card title={t('Preview')} headingId="shares-preview">
      <ErrorNote error={preview.error} />
      <Table
        rows={preview.data ?? []}
        keyOf={({ root_path }) => root_path}
        columns={[
          { head: t('Library'), cell: ({ library }) => library },
          { head: t('Folder'), className: 'mono', cell: ({ root_path }) => root_path },
          {
            head: t('Network address'),
            className: 'mono',
            cell: ({ share_url }) => share_url ?? <span className="muted">{t('none')}</span>,
          },
          { head: t('Windows path'), className: 'mono', cell: ({ unc }) => unc ?? <span className="muted">{t('none')}</span> },
        ]}
      />
    </Card>
  );
}
