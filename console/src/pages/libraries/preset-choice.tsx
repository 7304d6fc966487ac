import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import s from './dialogs.module.css';

/** What comes with the program, in words; a preset of one's own is told by its first lines. */
const IN_WORDS: Record<string, string> = {
  system_files: 'recycle bins, thumbnail caches, shortcuts, backup copies',
  hidden_dotfiles: 'names that start with a dot',
  caches_temp: 'folders named tmp, temp or cache, whatever they hold',
  node_modules_build: 'node_modules, dist, target, virtual environments',
  os_metadata: '.DS_Store, Thumbs.db, folder icons',
};

/** What to leave out, each preset in words. */
export function PresetChoice({ value, onChange }: { value: string[]; onChange: (names: string[]) => void }) {
  const presets = useQuery({ queryKey: ['presets'], queryFn: catalog.presets });
  if (presets.error) return <p role="alert">{sentence(presets.error)}</p>;
  return (
    <fieldset>
      <legend className="b">Leave out</legend>
      {(presets.data?.presets ?? []).map((preset) => (
        <label key={preset.name} className={s.option}>
          <input
            type="checkbox"
            className="tick"
            checked={value.includes(preset.name)}
            onChange={(event) => onChange(event.currentTarget.checked ? [...value, preset.name] : value.filter((n) => n !== preset.name))}
          />
          <span title={preset.caveat ?? undefined}>
            {preset.label}{' '}
            <span className="muted">· {IN_WORDS[preset.name] ?? preset.caveat ?? preset.patterns.slice(0, 4).join(', ')}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
