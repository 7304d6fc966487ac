import { useState } from 'react';
import { X } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { Taxonomy, TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { pluralize, formatCount } from '../../format/numbers.ts';
import { Button, IconButton, LinkButton } from '../../components/button.tsx';
import { CategoryIcon } from '../../components/category-icon.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { EditDialog, type EditTarget, useTaxonomyEdit, type TaxonomyEdit } from './taxonomy-dialogs.tsx';
import s from './taxonomy-page.module.css';

/** A kind of file with its groups. */
export function CategoryCard({
  category,
  taxonomy,
  typed,
  editable,
}: {
  category: TaxonomyCategory;
  taxonomy: Taxonomy;
  typed: string;
  editable: boolean;
}) {
  const [deleting, setDeleting] = useState(false);
  const [changing, setChanging] = useState<EditTarget | null>(null);
  const edit = useTaxonomyEdit();
  const whole = taxonomy.tree.find((c) => c.key === category.key)!;
  return (
    <Card
      title={
        <>
          <CategoryIcon category={category.key} />
          <h2 className="h3">{category.label}</h2>
          <code className="mono muted">{category.key}</code>
          <span className="muted meta">{pluralize(whole.groups.length, 'group')}</span>
        </>
      }
      aside={
        editable && (
          <>
            <Button size="s" onClick={() => setChanging({ kind: whole })} aria-label={`Change kind ${category.label}`}>
              Change
            </Button>
            {!category.is_builtin && (
              <Button size="s" variant="danger" onClick={() => setDeleting(true)} aria-label={`Remove kind ${category.label}`}>
                Remove
              </Button>
            )}
          </>
        )
      }
    >
      {category.description && <p className="t2">{category.description}</p>}
      {category.groups.map((group) => (
        <GroupRow
          key={group.key}
          group={group}
          typed={typed}
          editable={editable}
          onEdit={edit.mutate}
          onChange={() => setChanging({ group: whole.groups.find((one) => one.key === group.key) ?? group, in: category.key })}
        />
      ))}
      <ErrorNote error={edit.error} />
      {changing && <EditDialog what={changing} tree={taxonomy.tree} onClose={() => setChanging(null)} />}
      <ConfirmDialog
        opened={deleting}
        title={`Remove kind “${category.label}”?`}
        confirm="Remove kind"
        danger
        onConfirm={() => edit.mutateAsync({ run: () => catalog.deleteCategory(category.key), done: `Kind ${category.label} removed` })}
        onClose={() => setDeleting(false)}
      >
        A kind that still has groups cannot be removed; move or remove them first.
      </ConfirmDialog>
    </Card>
  );
}

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
