import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import s from './dialogs.module.css';

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
            checked={value.includes(preset.name)}
            onChange={(event) => onChange(event.currentTarget.checked ? [...value, preset.name] : value.filter((n) => n !== preset.name))}
          />
          <span>
            {preset.label} <span className="muted">· {preset.caveat || preset.patterns.slice(0, 4).join(', ')}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
