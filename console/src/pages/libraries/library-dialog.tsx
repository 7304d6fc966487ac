import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { baseName } from '../../format/paths.ts';
import { FormDialog } from '../../components/form.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { toast } from '../../components/toast.tsx';
import { ContentTab } from './content-tab.tsx';
import { FolderTab } from './folder-tab.tsx';
import { KindsTab } from './kinds-tab.tsx';
import { LeaveOutTab } from './leave-out-tab.tsx';
import { fieldsOf, type LibraryFields, type TabProps } from './library-fields.ts';
import { ScansTab } from './scans-tab.tsx';

const TABS = { folder: FolderTab, kinds: KindsTab, 'leave-out': LeaveOutTab, scan: ScansTab, more: ContentTab } satisfies Record<
  string,
  (props: TabProps) => ReactNode
>;

/** Create or edit a library. A new one is scanned at once. */
export function LibraryDialog({ library, onClose }: { library: Library | null; onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<LibraryFields>(() => fieldsOf(library));
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
