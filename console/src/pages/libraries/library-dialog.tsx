import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { HashPolicy, Library } from '../../api/types.ts';
import { nameOf } from '../../format/paths.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { toast } from '../../parts/toast.tsx';
import { FolderPicker } from './folder-picker.tsx';
import { PresetChoice } from './preset-choice.tsx';
import { ScanPaths } from './scan-paths.tsx';

type Fields = Pick<
  Library,
  | 'name'
  | 'root_path'
  | 'enabled_presets'
  | 'include_globs'
  | 'exclude_globs'
  | 'scan_cron'
  | 'watch_mode'
  | 'hash_policy'
  | 'native_prefix'
  | 'ocr_enabled'
  | 'chunking_enabled'
  | 'expose_gps'
  | 'count_pruned_files'
  | 'enabled'
>;

const FRESH: Fields = {
  name: '',
  root_path: '',
  enabled_presets: ['system_files', 'os_metadata', 'hidden_dotfiles'],
  include_globs: [],
  exclude_globs: [],
  scan_cron: '0 3 * * *',
  watch_mode: false,
  hash_policy: 'auto',
  native_prefix: null,
  ocr_enabled: false,
  chunking_enabled: false,
  expose_gps: false,
  count_pruned_files: true,
  enabled: true,
};

const NAMES = Object.keys(FRESH) as (keyof Fields)[];
const fieldsOf = (library: Library): Fields => Object.fromEntries(NAMES.map((name) => [name, library[name]])) as Fields;

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Create or edit a library. A new one is scanned at once. */
export function LibraryDialog({ library, onClose }: { library: Library | null; onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<Fields>(library ? fieldsOf(library) : FRESH);
  const [tab, setTab] = useState<'folder' | 'leave-out' | 'scan' | 'more'>('folder');
  const set = (patch: Partial<Fields>) => setFields((now) => ({ ...now, ...patch }));
  const save = async () => {
    if (library) return catalog.updateLibrary(library.id, fields);
    const { enabled: _enabled, ...fresh } = fields;
    const made = await catalog.createLibrary({ ...fresh, name: fields.name.trim() || nameOf(fields.root_path) });
    await catalog.startScan(made.id);
    return made;
  };
  return (
    <FormDialog
      title={library ? `Edit ${library.name}` : 'New library'}
      size={640}
      submit={library ? 'Save' : <span className="cut">Scan {fields.root_path || 'folder'}</span>}
      ready={fields.root_path !== ''}
      save={save}
      onSaved={async (saved) => {
        await Promise.all([client.invalidateQueries({ queryKey: ['libraries'] }), client.invalidateQueries({ queryKey: ['scans'] })]);
        toast(library ? `Library ${saved.name} saved` : `Library ${saved.name} created; its scan has started`);
      }}
      onCancel={onClose}
      onClose={onClose}
    >
      {(errorAt) => (
        <Tabs
          label="Settings of the library"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'folder', label: 'Folder' },
            { value: 'leave-out', label: 'Leave out' },
            { value: 'scan', label: 'Scans' },
            { value: 'more', label: 'Content' },
          ]}
        >
          <div className="col g4" style={{ paddingTop: 16, minHeight: 320 }}>
            {tab === 'folder' && (
              <>
                {!library && (
                  <FolderPicker
                    value={fields.root_path}
                    onChange={(root_path) => set({ root_path, name: fields.name || nameOf(root_path) })}
                  />
                )}
                <TextInput
                  data-autofocus
                  label="Path on the server"
                  description="Read only. Files stay where they are."
                  required
                  value={fields.root_path}
                  error={errorAt('root_path')}
                  onChange={(e) => set({ root_path: e.currentTarget.value })}
                />
                <TextInput
                  label="Name"
                  required
                  value={fields.name}
                  error={errorAt('name')}
                  onChange={(e) => set({ name: e.currentTarget.value })}
                />
                <TextInput
                  label="Path as people see it"
                  description="For links that open a file at its source, e.g. \\nas\photos or smb://nas/photos."
                  value={fields.native_prefix ?? ''}
                  onChange={(e) => set({ native_prefix: e.currentTarget.value || null })}
                />
                {library && (
                  <Switch
                    label="In use"
                    description="Off: an offline volume. Its files stay searchable and none counts as missing."
                    checked={fields.enabled}
                    onChange={(e) => set({ enabled: e.currentTarget.checked })}
                  />
                )}
              </>
            )}
            {tab === 'leave-out' && (
              <>
                <PresetChoice value={fields.enabled_presets} onChange={(enabled_presets) => set({ enabled_presets })} />
                <Textarea
                  label="Also leave out"
                  description="One pattern a line, as in an ignore file."
                  autosize
                  minRows={3}
                  value={fields.exclude_globs.join('\n')}
                  error={errorAt('exclude_globs')}
                  onChange={(e) => set({ exclude_globs: e.currentTarget.value.split('\n') })}
                  onBlur={() => set({ exclude_globs: lines(fields.exclude_globs.join('\n')) })}
                  styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
                />
                <Textarea
                  label="But keep"
                  description="Patterns that win over what is left out."
                  autosize
                  minRows={2}
                  value={fields.include_globs.join('\n')}
                  onChange={(e) => set({ include_globs: e.currentTarget.value.split('\n') })}
                  onBlur={() => set({ include_globs: lines(fields.include_globs.join('\n')) })}
                  styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
                />
                <Switch
                  label="Count files inside folders that are left out"
                  description="Needed for the sum “on disk = seen + excluded + pruned”."
                  checked={fields.count_pruned_files}
                  onChange={(e) => set({ count_pruned_files: e.currentTarget.checked })}
                />
              </>
            )}
            {tab === 'scan' && (
              <>
                <TextInput
                  label="Schedule"
                  description="Minute, hour, day, month, weekday, in UTC. Empty: only by hand."
                  value={fields.scan_cron ?? ''}
                  error={errorAt('scan_cron')}
                  onChange={(e) => set({ scan_cron: e.currentTarget.value || null })}
                  styles={{ input: { fontFamily: 'var(--mono)', fontSize: 13 } }}
                />
                <Switch
                  label="Watch for changes"
                  description="Changes show within seconds. Not on network shares."
                  checked={fields.watch_mode}
                  onChange={(e) => set({ watch_mode: e.currentTarget.checked })}
                />
                <Select
                  label="Hashes"
                  description="The full hash proves that two files are the same."
                  allowDeselect={false}
                  value={fields.hash_policy}
                  onChange={(value) => set({ hash_policy: (value ?? 'auto') as HashPolicy })}
                  data={[
                    { value: 'auto', label: 'Full on local disks, quick on network shares' },
                    { value: 'full', label: 'Always full' },
                    { value: 'quick_only', label: 'Quick only' },
                  ]}
                />
                {library && <ScanPaths library={library} />}
              </>
            )}
            {tab === 'more' && (
              <>
                <Switch
                  label="Show photos on the map"
                  description="Shares the place stored in photos with everybody who may see the library."
                  checked={fields.expose_gps}
                  onChange={(e) => set({ expose_gps: e.currentTarget.checked })}
                />
                <Switch
                  label="Read text in scanned pages and pictures"
                  description="Optical character recognition; slow."
                  checked={fields.ocr_enabled}
                  onChange={(e) => set({ ocr_enabled: e.currentTarget.checked })}
                />
                <Switch
                  label="Search in passages"
                  description="Long documents are also found by their parts."
                  checked={fields.chunking_enabled}
                  onChange={(e) => set({ chunking_enabled: e.currentTarget.checked })}
                />
              </>
            )}
          </div>
        </Tabs>
      )}
    </FormDialog>
  );
}
