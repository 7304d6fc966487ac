import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import s from './segmented.module.css';

interface Option<T extends string> {
  value: T;
  label: string;
  icon?: LucideIcon;
}

/** A choice between two to four visible options. Built on radio buttons, so arrow keys and screen readers work. */
export function Segmented<T extends string>(props: {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <div className={s.group} role="radiogroup" aria-label={props.label}>
      {props.options.map((option) => (
        <label key={option.value} className={s.option} data-icon={Boolean(option.icon)} title={option.label}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === props.value}
            onChange={() => props.onChange(option.value)}
          />
          {option.icon && <option.icon size={16} aria-hidden />}
          <span className={option.icon ? 'sm-hide' : undefined}>{option.label}</span>
          {option.icon && <span className="visually-hidden sm-only">{option.label}</span>}
        </label>
      ))}
    </div>
  );
}
