import { Select, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { HashPolicy, Library } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { CronInput } from '../schedules/cron-input.tsx';
import { cronWords } from '../schedules/cron-words.ts';
import s from './dialogs.module.css';
import { LimitInput, type TabProps } from './library-fields.tsx';

const GB = 1_000_000_000;
/** A new folder schedule starts with every 15 minutes. */
const FOLDER_CRON = '*/15 * * * *';

export function ScansTab({ library, fields, set, errorAt }: TabProps) {
  return (
    <>
      <CronInput
        label={t('Scan')}
        never={t('Manually only')}
        value={fields.scan_cron ?? ''}
        error={errorAt('scan_cron')}
        onChange={(cron) => set({ scan_cron: cron || null })}
      />
      <Switch
        label={t('Watch for changes')}
        description={t('Changes appear within seconds. Not available for network shares.')}
        checked={fields.watch_mode}
        onChange={(e) => set({ watch_mode: e.currentTarget.checked })}
      />
      <Select
        label={t('Hashing')}
        description={t('A full hash proves that two files are identical.')}
        allowDeselect={false}
        value={fields.hash_policy}
        onChange={(value) => set({ hash_policy: (value ?? 'auto') as HashPolicy })}
        data={[
          { value: 'auto', label: t('Full on local disks, quick on network shares') },
          { value: 'full', label: t('Always full') },
          { value: 'quick_only', label: t('Quick only') },
        ]}
      />
      {fields.hash_policy !== 'quick_only' && (
        <LimitInput
          label={t('Skip full hash for files above')}
          unit="GB"
          per={GB}
          value={fields.hash_full_max_bytes}
          error={errorAt('hash_full_max_bytes')}
          onChange={(hash_full_max_bytes) => set({ hash_full_max_bytes })}
        />
      )}
      <LimitInput
        label={t('Ask before marking files missing')}
        description={t('A scan that would mark a larger share of the library missing stops until you confirm it. 0 never asks.')}
        unit="%"
        per={1}
        allowZero
        value={fields.vanish_guard_pct}
        error={errorAt('vanish_guard_pct')}
        onChange={(vanish_guard_pct) => set({ vanish_guard_pct })}
      />
      <WorkerLabels value={fields.worker_labels} error={errorAt('worker_labels')} onChange={(worker_labels) => set({ worker_labels })} />
      {library && <ScanPaths library={library} />}
    </>
  );
}

/** Keeps the text as typed; labels are separated by commas or spaces. */
function WorkerLabels({ value, error, onChange }: { value: string[]; error: string | undefined; onChange: (labels: string[]) => void }) {
  const [text, setText] = useState(() => value.join(', '));
  return (
    <TextInput
      label={t('Worker labels')}
      description={t('Only workers started with one of these labels read the files. Leave it empty if every worker can reach them.')}
      placeholder="nas-1"
      value={text}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        onChange([...new Set(event.currentTarget.value.split(/[\s,]+/).filter(Boolean))]);
      }}
    />
  );
}

/** Folders with their own schedule. Changes here are saved immediately. */
function ScanPaths({ library }: { library: Library }) {
  const client = useQueryClient();
  const paths = useQuery({ queryKey: ['scan-paths', library.id], queryFn: () => catalog.scanPaths(library.id) });
  const [folder, setFolder] = useState('');
  const [cron, setCron] = useState(FOLDER_CRON);
  const refresh = () => client.invalidateQueries({ queryKey: ['scan-paths', library.id] });
  const add = useMutation({
    mutationFn: () => catalog.addScanPath(library.id, { rel_path: folder.trim().replace(/^\/+|\/+$/g, ''), scan_cron: cron.trim() }),
    onSuccess: () => {
      setFolder('');
      setCron(FOLDER_CRON);
      void refresh();
    },
  });
  const remove = useMutation({ mutationFn: (id: string) => catalog.removeScanPath(library.id, id), onSuccess: refresh });
  const error = paths.error ?? add.error ?? remove.error;
  const mayAdd = folder.trim() !== '' && cron.trim() !== '' && !add.isPending;
  return (
    <section
      className="col g2"
      aria-label={t('Folder schedules')}
      onKeyDown={(event) => {
        // Enter would otherwise save the library and close its dialog, without the folder.
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLInputElement)) return;
        if (event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (mayAdd) add.mutate();
      }}
    >
      <h3 className="m5">{t('Folder schedules')}</h3>
      <ul className={s.paths} data-list>
        {paths.data?.map((one) => (
          <li key={one.id} className="row g2">
            <bdi className="mono cut grow">{one.rel_path || '/'}</bdi>
            <span className="nw">{one.scan_cron ? cronWords(one.scan_cron) : t('No schedule')}</span>
            <span className="meta muted nw">
              {one.next_scan_at ? t('Next scan {next_scan_at}', { next_scan_at: formatRecent(one.next_scan_at) }) : ''}
            </span>
            <IconButton
              size="s"
              label={t('Remove {rel_path}', { rel_path: one.rel_path || t('folder') })}
              onClick={() => remove.mutate(one.id)}
            >
              <X size={14} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="row g2 wrap">
        <TextInput
          style={{ flex: 1, minWidth: 140 }}
          aria-label={t('Folder in the library')}
          placeholder={t('Inbox')}
          value={folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
        <Button onClick={() => add.mutate()} disabled={!mayAdd}>
          <Plus size={16} aria-hidden />
          {t('Add folder')}
        </Button>
      </div>
      {folder.trim() !== '' && <CronInput label={t('Scan this folder')} value={cron} onChange={setCron} />}
      {error && <p role="alert">{errorMessage(error)}</p>}
    </section>
  );
}
