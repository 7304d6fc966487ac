import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { searchTags } from '../../api/search.ts';
import { t } from '../../language/text.ts';
import s from './tag-editor.module.css';

interface TagEditorProps {
  tags: string[];
  readOnly?: boolean;
  /** Controlled by the parent, because the T key opens the field. */
  adding: boolean;
  onAdding: (adding: boolean) => void;
  /** Gets only the difference, because others may have changed the tags since they were loaded. */
  onChange: (change: { add_tags: string[] } | { remove_tags: string[] }) => void;
}

/** The tags of a file. */
export function TagEditor({ tags, readOnly, adding, onAdding, onChange }: TagEditorProps) {
  return (
    <ul className={s.tags} aria-label={t('Tags')}>
      {tags.map((tag) => (
        <li key={tag} className={s.tag}>
          <bdi>{tag}</bdi>
          {!readOnly && (
            <button type="button" aria-label={t('Remove tag {tag}', { tag })} onClick={() => onChange({ remove_tags: [tag] })}>
              <X size={12} aria-hidden />
            </button>
          )}
        </li>
      ))}
      {!readOnly && (
        <li>
          {adding ? (
            <TagInput
              taken={tags}
              onDone={(tag) => {
                onAdding(false);
                if (tag && !tags.includes(tag)) onChange({ add_tags: [tag] });
              }}
            />
          ) : (
            <button type="button" className={s.add} onClick={() => onAdding(true)}>
              <Plus size={12} aria-hidden />
              {t('Add tag')}
            </button>
          )}
        </li>
      )}
      {readOnly && tags.length === 0 && <li className="muted">{t('No tags')}</li>}
    </ul>
  );
}

/** A field for a new tag that suggests existing ones. */
function TagInput({
  taken = [],
  onDone,
  label = t('New tag'),
}: {
  taken?: string[];
  onDone: (tag: string | null) => void;
  label?: string;
}) {
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(-1);
  const [debounced] = useDebouncedValue(typed.trim(), 120);
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  const found = useQuery({ queryKey: ['tags', debounced], queryFn: ({ signal }) => searchTags(debounced, signal), staleTime: 30_000 });
  const suggestions = (found.data ?? []).filter((t) => !taken.includes(t.value)).slice(0, 6);
  useEffect(() => field.current?.focus(), []);
  const finish = (tag: string | null) => {
    if (done.current) return;
    done.current = true;
    onDone(tag?.trim() || null);
  };
  return (
    <div className={s.input}>
      <input
        ref={field}
        role="combobox"
        aria-label={label}
        aria-expanded={suggestions.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        value={typed}
        maxLength={100}
        placeholder={t('Tag name')}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(-1);
        }}
        onBlur={() => finish(typed)}
        onKeyDown={(event) => {
          // These keys belong to the input method while it composes a word.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') finish(suggestions[at]?.value ?? typed);
          else if (event.key === 'Escape') finish(null);
          else if (event.key === 'ArrowDown') setAt(Math.min(suggestions.length - 1, at + 1));
          else if (event.key === 'ArrowUp') setAt(Math.max(-1, at - 1));
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {suggestions.length > 0 && (
        <ul className={s.suggestions} id={`${id}-list`} role="listbox" aria-label={t('Suggested tags')}>
          {suggestions.map((suggestion, i) => (
            <li
              key={suggestion.value}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === at}
              tabIndex={-1}
              onPointerDown={(event) => {
                event.preventDefault();
                finish(suggestion.value);
              }}
            >
              <bdi className="cut">{suggestion.value}</bdi>
              <span className="muted">{suggestion.count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
