import { Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { changedOnly, FormDialog } from '../../components/form.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.tsx';
import { baseName } from '../../format/paths.ts';
import { t } from '../../language/text.ts';
import { ContentTab } from './content-tab.tsx';
import { ExclusionsTab } from './exclusions-tab.tsx';
import { FileTypesTab } from './file-types-tab.tsx';
import { FolderPicker } from './folder-picker.tsx';
import { type EditableFields, editableFields, type TabProps } from './library-fields.tsx';
import { ScansTab } from './scans-tab.tsx';

const TABS = {
  folder: FolderTab,
  'file-types': FileTypesTab,
  exclusions: ExclusionsTab,
  scans: ScansTab,
  contents: ContentTab,
} satisfies Record<string, (props: TabProps) => ReactNode>;

const tabLabels: { value: keyof typeof TABS; label: string }[] = [
  { value: 'folder', label: t('Folder') },
  { value: 'file-types', label: t('File types') },
  { value: 'exclusions', label: t('Exclusions') },
  { value: 'scans', label: t('Scans') },
  { value: 'contents', label: t('Contents') },
];
/** For a library whose files an agent reports. What the agent scans is set in its groups. */
const tabsOfAgentLibrary = new Set<keyof typeof TABS>(['folder', 'contents']);

/** Creates or edits a library. A new library is scanned immediately. */
export function LibraryDialog({ library, onClose }: { library: Library | null; onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<EditableFields>(() => editableFields(library));
  const [tab, setTab] = useState<keyof typeof TABS>('folder');
  const Tab = TABS[tab];
  const [triedPath, setTriedPath] = useState(fields.root_path);
  const created = useRef<Library | null>(null);
  const save = async () => {
    setTriedPath(fields.root_path);
    if (library) return catalog.updateLibrary(library.id, changedOnly(editableFields(library), fields));
    const { enabled: _enabled, ...rest } = fields;
    const newLibrary = { ...rest, name: fields.name.trim() || baseName(fields.root_path) };
    // The scan may not start, as during maintenance. The next attempt then starts the scan of the library that was created.
    created.current = created.current
      ? await catalog.updateLibrary(created.current.id, newLibrary)
      : await catalog.createLibrary(newLibrary);
    void client.invalidateQueries({ queryKey: ['libraries'] });
    await catalog.startScan(created.current.id);
    return created.current;
  };
  return (
    <FormDialog
      title={library ? t('Edit {name}', { name: library.name }) : t('New library')}
      size={640}
      submit={
        library ? (
          t('Save')
        ) : (
          <span className="cut">{fields.root_path ? t('Scan {path}', { path: fields.root_path }) : t('Scan folder')}</span>
        )
      }
      ready={fields.root_path !== ''}
      save={save}
      onSaved={async (saved) => {
        await Promise.all([client.invalidateQueries({ queryKey: ['libraries'] }), client.invalidateQueries({ queryKey: ['scans'] })]);
        toast(library ? t('Library {name} saved', { name: saved.name }) : t('Library {name} created. Scan started.', { name: saved.name }));
      }}
      onCancel={onClose}
      onClose={onClose}
    >
      {(errorAt) => (
        <Tabs
          label={t('Library settings')}
          value={tab}
          onChange={setTab}
          tabs={tabLabels.filter(({ value }) => !library?.source_agent_id || tabsOfAgentLibrary.has(value))}
        >
          <div className="col g4" style={{ paddingTop: 16, minHeight: 320 }}>
            <Tab
              library={library}
              fields={fields}
              set={(patch) => setFields((now) => ({ ...now, ...patch }))}
              errorAt={(...names) => {
                const error = errorAt(...names);
                // The error is about the path that was sent, not about the one that is now in the field.
                return names.includes('root_path') && fields.root_path !== triedPath ? undefined : error;
              }}
            />
          </div>
        </Tabs>
      )}
    </FormDialog>
  );
}

function FolderTab({ library, fields, set, errorAt }: TabProps) {
  return (
    <>
      {!library && (
        <FolderPicker value={fields.root_path} onChange={(root_path) => set({ root_path, name: fields.name || baseName(root_path) })} />
      )}
      <TextInput
        data-autofocus={!library?.source_agent_id || undefined}
        label={library?.source_agent_id ? t('Path on the machine') : t('Path on the server')}
        description={t('Read-only. Your files stay where they are.')}
        required
        disabled={Boolean(library?.source_agent_id)}
        value={fields.root_path}
        error={errorAt('root_path')}
        onChange={(e) => set({ root_path: e.currentTarget.value })}
      />
      <TextInput
        data-autofocus={library?.source_agent_id ? true : undefined}
        label={t('Name')}
        required
        value={fields.name}
        error={errorAt('name')}
        onChange={(e) => set({ name: e.currentTarget.value })}
      />
      <TextInput
        label={t('Path on client computers')}
        description={t('Used for links that open the original file, e.g. \\\\nas\\photos or smb://nas/photos.')}
        value={fields.native_prefix ?? ''}
        error={errorAt('native_prefix')}
        onChange={(e) => set({ native_prefix: e.currentTarget.value || null })}
      />
      <TextInput
        label={t('Network share path')}
        description={t('Leave empty to use the share map.')}
        placeholder={library?.share_prefix_effective ?? ''}
        value={fields.share_prefix ?? ''}
        error={errorAt('share_prefix')}
        onChange={(e) => set({ share_prefix: e.currentTarget.value || null })}
      />
      {library && !library.source_agent_id && (
        <Switch
          label={t('Enabled')}
          description={t('Turn off for an offline volume. Its files stay searchable and are not marked missing.')}
          checked={fields.enabled}
          onChange={(e) => set({ enabled: e.currentTarget.checked })}
        />
      )}
    </>
  );
}
