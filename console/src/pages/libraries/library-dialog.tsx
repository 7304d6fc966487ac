import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Switch, TextInput } from '@mantine/core';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { baseName } from '../../format/paths.ts';
import { FormDialog } from '../../components/form.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.tsx';
import { ContentTab } from './content-tab.tsx';
import { FileTypesTab } from './file-types-tab.tsx';
import { ExclusionsTab } from './exclusions-tab.tsx';
import { editableFields, type EditableFields, type TabProps } from './library-fields.ts';
import { ScansTab } from './scans-tab.tsx';
import { FolderPicker } from './folder-picker.tsx';

const TABS = { folder: FolderTab, kinds: FileTypesTab, 'leave-out': ExclusionsTab, scan: ScansTab, more: ContentTab } satisfies Record<
  string,
  (props: TabProps) => ReactNode
>;

/** Create or edit a library. A new one is scanned at once. */
export function LibraryDialog({ library, onClose }: { library: Library | null; onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<EditableFields>(() => editableFields(library));
  const [tab, setTab] = useState<keyof typeof TABS>('folder');
  const Tab = TABS[tab];
  const save = async () => {
    if (library) return catalog.updateLibrary(library.id, fields);
    const { enabled: _enabled, ...fresh } = fields;
    const made = await catalog.createLibrary({ ...fresh, name: fields.name.trim() || baseName(fields.root_path) });
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
            { value: 'kinds', label: 'Kinds' },
            { value: 'leave-out', label: 'Leave out' },
            { value: 'scan', label: 'Scans' },
            { value: 'more', label: 'Content' },
          ]}
        >
          <div className="col g4" style={{ paddingTop: 16, minHeight: 320 }}>
            <Tab library={library} fields={fields} set={(patch) => setFields((now) => ({ ...now, ...patch }))} errorAt={errorAt} />
          </div>
        </Tabs>
      )}
    </FormDialog>
  );
}

export function FolderTab({ library, fields, set, errorAt }: TabProps) {
  return (
    <>
      {!library && (
        <FolderPicker value={fields.root_path} onChange={(root_path) => set({ root_path, name: fields.name || baseName(root_path) })} />
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
      <TextInput label="Name" required value={fields.name} error={errorAt('name')} onChange={(e) => set({ name: e.currentTarget.value })} />
      <TextInput
        label="Path as people see it"
        description="For links that open a file at its source, e.g. \\nas\photos or smb://nas/photos."
        value={fields.native_prefix ?? ''}
        error={errorAt('native_prefix')}
        onChange={(e) => set({ native_prefix: e.currentTarget.value || null })}
      />
      <TextInput
        label="Path of the share"
        description="Where the folder is shared on the network. Empty: as the table of shares tells."
        placeholder={library?.share_prefix_effective ?? ''}
        value={fields.share_prefix ?? ''}
        error={errorAt('share_prefix')}
        onChange={(e) => set({ share_prefix: e.currentTarget.value || null })}
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
  );
}
