import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import * as operations from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import type { ShareEntry } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { emptyRow, mergeRows, rebased, type ShareChange, type ShareFields, showOnly, toRow } from './share-rows.ts';
import s from './shares-tab.module.css';

type Entries = Parameters<typeof operations.saveShareMap>[0];

/** The share map: which network address people use for a folder of this server, with a preview per library before it is saved. */
export function SharesTab() {
  const stored = useQuery({ queryKey: ['share-map'], queryFn: operations.shareMap });
  if (stored.error && !stored.data) return <ErrorState error={stored.error} retry={() => void stored.refetch()} />;
  if (!stored.data) return <Loading what={t('network addresses')} />;
  return <Editor stored={stored.data} />;
}

function Editor({ stored }: { stored: ShareEntry[] }) {
  const client = useQueryClient();
  const [rows, setRows] = useState(() => stored.map(toRow));
  /** The stored map that the edits are based on. */
  const [base, setBase] = useState(stored);
  /** Changes by somebody else since this person began to edit. */
  const [changes, setChanges] = useState<ShareChange[]>([]);
  if (stored !== base) {
    setBase(stored);
    if (showOnly(rows, base)) setRows(stored.map(toRow));
    else {
      const merged = mergeRows(rows, base, stored);
      setRows(merged.rows);
      const folders = new Set(merged.changes.map(({ entry }) => entry.container_prefix));
      setChanges([...changes.filter(({ entry }) => !folders.has(entry.container_prefix)), ...merged.changes]);
    }
  }
  const sent = useRef(rows);
  const entries: Entries = rows.map(({ container_prefix, share_url, unc, before }) => ({
    container_prefix,
    share_url,
    unc: unc.trim() || null,
    storage_type: before?.storage_type ?? null,
    host: before?.host ?? null,
  }));
  const save = async () => {
    sent.current = rows;
    try {
      return await operations.saveShareMap(entries, base);
    } catch (error) {
      if (error instanceof Problem && error.code === 'edited_meanwhile') await client.invalidateQueries({ queryKey: ['share-map'] });
      throw error;
    }
  };
  const onSaved = (saved: ShareEntry[]) => {
    // What was typed while it was being saved stays.
    const savedOf = new Map(sent.current.map((row, at) => [row.key, { row, entry: saved[at] }]));
    setRows((now) =>
      now.map((row) => {
        const { row: from, entry } = savedOf.get(row.key) ?? {};
        return from && entry ? rebased(row, from, entry) : row;
      }),
    );
    setBase(saved);
    setChanges([]);
    client.setQueryData(['share-map'], saved);
    toast(t('Network addresses saved'));
    return client.invalidateQueries({ queryKey: ['share-map'] });
  };
  const complete = rows.every(({ container_prefix, share_url }) => container_prefix.trim() !== '' && share_url.trim() !== '');
  const change = (key: number, part: Partial<ShareFields>) =>
    setRows((now) => now.map((row) => (row.key === key ? { ...row, ...part } : row)));
  return (
    <div className="col g4">
      <p className="t2">
        {t(
          'Folders of this server and the addresses under which people reach them. Each file then shows a link for its network address, its Windows path and its file address.',
        )}
      </p>
      <Card title={t('Network addresses')} headingId="shares">
        <Form layout="card" submit={t('Save addresses')} ready={complete} save={save} onSaved={onSaved}>
          {() => (
            <>
              {rows.length === 0 && <p className="t2">{t('No addresses yet. Files show their path on this server only.')}</p>}
              {changes.length > 0 && <Changes changes={changes} />}
              {rows.map((row, at) => (
                <div key={row.key} className={s.row} data-wide role="group" aria-label={t('Address {at}', { at: at + 1 })}>
                  <TextInput
                    label={t('Folder')}
                    placeholder="/data/photos"
                    value={row.container_prefix}
                    onChange={(event) => change(row.key, { container_prefix: event.currentTarget.value })}
                  />
                  <TextInput
                    label={t('Network address')}
                    placeholder="smb://nas/photos"
                    value={row.share_url}
                    onChange={(event) => change(row.key, { share_url: event.currentTarget.value })}
                  />
                  <TextInput
                    label={t('Windows path')}
                    placeholder={t('Derived from the address')}
                    value={row.unc}
                    onChange={(event) => change(row.key, { unc: event.currentTarget.value })}
                  />
                  <IconButton
                    label={t('Remove address {at}', { at: at + 1 })}
                    onClick={() => setRows((now) => now.filter(({ key }) => key !== row.key))}
                  >
                    <Trash2 size={16} aria-hidden />
                  </IconButton>
                </div>
              ))}
              <div>
                <Button onClick={() => setRows((now) => [...now, emptyRow()])}>
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

function changeText({ kind, entry: { container_prefix: folder, share_url: address } }: ShareChange): string {
  if (kind === 'removed') return t('Removed: {folder}', { folder });
  return kind === 'added'
    ? t('Added: {folder}, {address}', { folder, address })
    : t('Changed: {folder}, now {address}', { folder, address });
}

function Changes({ changes }: { changes: readonly ShareChange[] }) {
  return (
    <Note tone="warn" icon={TriangleAlert} live>
      {t('Somebody else changed the addresses meanwhile. What you typed is kept.')}
      <ul>
        {changes.map((change) => (
          <li key={change.entry.container_prefix} className="anywhere">
            {changeText(change)}
          </li>
        ))}
      </ul>
    </Note>
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
