import { Select, Switch, TextInput } from '@mantine/core';
import type { HashPolicy } from '../../api/types.ts';
import type { TabProps } from './library-fields.ts';
import { LimitInput } from './limit-input.tsx';
import { ScanPaths } from './scan-paths.tsx';

const GB = 1_000_000_000;

export function ScansTab({ library, fields, set, errorAt }: TabProps) {
  return (
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
      {fields.hash_policy !== 'quick_only' && (
        <LimitInput
          label="No full hash of files larger than"
          unit="GB"
          per={GB}
          value={fields.hash_full_max_bytes}
          error={errorAt('hash_full_max_bytes')}
          onChange={(hash_full_max_bytes) => set({ hash_full_max_bytes })}
        />
      )}
      {library && <ScanPaths library={library} />}
    </>
  );
}
