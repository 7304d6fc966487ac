import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { FolderCount } from '../../api/types.ts';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import s from './dialogs.module.css';
import { countExclusions, isPresetOn, togglePreset } from './exclusion-counts.ts';

/** Descriptions of the built-in presets; others show their first patterns. */
const DESCRIPTIONS: Record<string, string> = {
  system_files: t('recycle bins, thumbnail caches, shortcuts, backup copies'),
  hidden_dotfiles: t('names starting with a dot'),
  caches_temp: t('folders named tmp, temp or cache, with all contents'),
  node_modules_build: t('node_modules, dist, target, virtual environments'),
  os_metadata: t('.DS_Store, Thumbs.db, folder icons'),
};

interface PresetPickerProps {
  value: string[];
  onChange: (names: string[]) => void;
  /** If given, each preset shows how many files it excludes. */
  files?: FolderCount | undefined;
}

export function PresetPicker({ value, onChange, files }: PresetPickerProps) {
  const presets = useQuery({ queryKey: ['presets'], queryFn: catalog.presets });
  if (presets.error && !presets.data) return <p role="alert">{errorMessage(presets.error)}</p>;
  const all = presets.data?.presets ?? [];
  const sum = files && countExclusions(files, all, value);
  // The server counts files only for built-in presets.
  const number = (name: string, builtin: boolean | undefined) => sum && builtin && formatCount(sum.by.get(name) ?? 0);
  return (
    <fieldset>
      <legend className="b">{t('Exclude')}</legend>
      {all.map((preset) => (
        <label key={preset.name} className={s.option}>
          <input
            type="checkbox"
            className="tick"
            checked={isPresetOn(preset, value)}
            onChange={(event) => onChange(togglePreset(preset, value, event.currentTarget.checked))}
          />
          <span title={preset.caveat ?? undefined}>
            {preset.label}{' '}
            <span className="muted">· {DESCRIPTIONS[preset.name] ?? preset.caveat ?? preset.patterns.slice(0, 4).join(', ')}</span>
          </span>
          <span className="muted num">{number(preset.name, preset.builtin)}</span>
        </label>
      ))}
      {sum !== undefined && sum.caches > 0 && (
        <p className={s.option}>
          <span />
          <span className="muted">{t('Always excluded: folders marked as caches (CACHEDIR.TAG)')}</span>
          <span className="muted num">{formatCount(sum.caches)}</span>
        </p>
      )}
    </fieldset>
  );
}
