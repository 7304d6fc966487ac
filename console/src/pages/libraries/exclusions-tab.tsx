import { Switch, Textarea } from '@mantine/core';
import { t } from '../../language/text.ts';
import { useFolderCount } from './exclusion-counts.ts';
import type { TabProps } from './library-fields.tsx';
import { PresetPicker } from './preset-picker.tsx';

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const mono = { input: { fontFamily: 'var(--mono)', fontSize: 12.5 } };

export function ExclusionsTab({ library, fields, set, errorAt }: TabProps) {
  // The server cannot count files of a library on another machine.
  const files = useFolderCount(library?.source_agent_id ? '' : fields.root_path);
  return (
    <>
      <PresetPicker value={fields.enabled_presets} onChange={(enabled_presets) => set({ enabled_presets })} files={files.data} />
      <Textarea
        label={t('Additional exclusions')}
        description={t('One pattern per line, in .gitignore syntax.')}
        autosize
        minRows={3}
        value={fields.exclude_globs.join('\n')}
        error={errorAt('exclude_globs')}
        onChange={(e) => set({ exclude_globs: e.currentTarget.value.split('\n') })}
        onBlur={() => set({ exclude_globs: lines(fields.exclude_globs.join('\n')) })}
        styles={mono}
      />
      <Textarea
        label={t('Always include')}
        description={t('Patterns that override exclusions, one per line.')}
        autosize
        minRows={2}
        value={fields.include_globs.join('\n')}
        error={errorAt('include_globs')}
        onChange={(e) => set({ include_globs: e.currentTarget.value.split('\n') })}
        onBlur={() => set({ include_globs: lines(fields.include_globs.join('\n')) })}
        styles={mono}
      />
      <Switch
        label={t('Count files in excluded folders')}
        description={t('Lets the library card show the complete total of files on disk.')}
        checked={fields.count_pruned_files}
        onChange={(e) => set({ count_pruned_files: e.currentTarget.checked })}
      />
    </>
  );
}
