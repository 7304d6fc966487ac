import { TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Library } from '../../api/types.ts';
import { formatRecent } from '../../format/dates.ts';
import { Button, IconButton } from '../../components/button.tsx';
import s from './dialogs.module.css';

/** Folders of a library that are scanned at times of their own, saved at once. */
export function ScanPaths({ library }: { library: Library }) {
  const client = useQueryClient();
  const paths = useQuery({ queryKey: ['scan-paths', library.id], queryFn: () => catalog.scanPaths(library.id) });
  const [folder, setFolder] = useState('');
  const [cron, setCron] = useState('');
  const refresh = () => client.invalidateQueries({ queryKey: ['scan-paths', library.id] });
  const add = useMutation({
    mutationFn: () => catalog.addScanPath(library.id, { rel_path: folder.trim().replace(/^\/+|\/+$/g, ''), scan_cron: cron.trim() }),
    onSuccess: () => {
      setFolder('');
      setCron('');
      void refresh();
    },
  });
  const remove = useMutation({ mutationFn: (id: string) => catalog.removeScanPath(library.id, id), onSuccess: refresh });
  const error = paths.error ?? add.error ?? remove.error;
  return (
    <section className="col g2" aria-label="Folders with their own times">
      <h3 className="m5">Folders with their own times</h3>
      <ul className={s.paths} data-list>
        {paths.data?.map((one) => (
          <li key={one.id} className="row g2">
            <bdi className="mono cut grow">{one.rel_path || '/'}</bdi>
            <code className="mono">{one.scan_cron}</code>
            <span className="meta muted nw">{one.next_scan_at ? `next ${formatRecent(one.next_scan_at)}` : ''}</span>
            <IconButton size="s" label={`Take ${one.rel_path || 'the folder'} out`} onClick={() => remove.mutate(one.id)}>
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="row g2 wrap">
        <TextInput
          style={{ flex: 1, minWidth: 140 }}
          aria-label="Folder below the library"
          placeholder="Inbox"
          value={folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
        <TextInput
          w={140}
          aria-label="Its times, as a cron line"
          placeholder="*/15 * * * *"
          value={cron}
          onChange={(event) => setCron(event.currentTarget.value)}
        />
        <Button onClick={() => add.mutate()} disabled={!folder.trim() || !cron.trim() || add.isPending}>
          <Plus size={16} aria-hidden />
          Add folder
        </Button>
      </div>
      {error && <p role="alert">{errorMessage(error)}</p>}
    </section>
  );
}
