import { X } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyGroup } from '../../api/types.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import { IconButton, LinkButton } from '../../components/button.tsx';
import s from './taxonomy-page.module.css';
import type { TaxonomyEdit } from './use-taxonomy-edit.ts';

const SHORT = 24;

/** A group with the extensions that belong to it. */
export function GroupRow({
  group,
  typed,
  editable,
  onEdit,
  onChange,
}: {
  group: TaxonomyGroup;
  typed: string;
  editable: boolean;
  onEdit: (edit: TaxonomyEdit) => void;
  /** Opens the dialog for its name and place. */
  onChange: () => void;
}) {
  const [ext, setExt] = useState('');
  const [all, setAll] = useState(false);
  const q = typed.trim().toLowerCase().replace(/^\./, '');
  const list = q ? [...group.extensions].sort((a, b) => Number(b.startsWith(q)) - Number(a.startsWith(q))) : group.extensions;
  const shown = all ? list : list.slice(0, SHORT);
  const add = () => {
    const clean = ext.trim().toLowerCase().replace(/^\.+/, '');
    if (!clean) return;
    onEdit({ run: () => catalog.addExtension(group.key, clean), done: `.${clean} now belongs to ${group.label}` });
    setExt('');
  };
  return (
    <div className={s.group} data-row>
      <div>
        <h3 className="m5">
          <bdi>{group.label}</bdi>
        </h3>
        <div className="meta muted">{pluralize(group.extensions.length, 'extension')}</div>
        {editable && (
          <LinkButton data-main onClick={onChange} aria-label={`Change group ${group.label}`}>
            Change
          </LinkButton>
        )}
      </div>
      <ul className={s.extensions}>
        {shown.map((one) => (
          <li key={one} data-hit={q !== '' && one.startsWith(q)}>
            <span className="mono">{one}</span>
            {editable && (
              <IconButton
                size="s"
                label={`Take .${one} out of ${group.label}`}
                onClick={() => onEdit({ run: () => catalog.removeExtension(group.key, one), done: `.${one} is out of ${group.label}` })}
              >
                <X size={12} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
        {list.length > SHORT && (
          <li>
            <button type="button" className={s.more} onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : `${formatCount(list.length - SHORT)} more`}
            </button>
          </li>
        )}
        {editable && (
          <li>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                add();
              }}
            >
              <input
                className={s.add}
                aria-label={`Add an extension to ${group.label}`}
                placeholder="add"
                value={ext}
                maxLength={32}
                onChange={(e) => setExt(e.currentTarget.value)}
              />
            </form>
          </li>
        )}
      </ul>
    </div>
  );
}
