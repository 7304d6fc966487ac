import { Switch, TextInput } from '@mantine/core';
import { baseName } from '../../format/paths.ts';
import { FolderPicker } from './folder-picker.tsx';
import type { TabProps } from './library-fields.ts';

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
