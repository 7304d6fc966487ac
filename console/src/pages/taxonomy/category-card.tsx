import { X } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { Button, IconButton, LinkButton } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { CategoryIcon } from '../../components/thumb.tsx';
import { formatCount } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';
import { EditDialog, type EditTarget, type TaxonomyEdit, useTaxonomyEdit } from './taxonomy-dialogs.tsx';
import s from './taxonomy-page.module.css';

export function CategoryCard({
  category,
  tree,
  typed,
  editable,
}: {
  category: TaxonomyCategory;
  tree: TaxonomyCategory[];
  typed: string;
  editable: boolean;
}) {
  const [deleting, setDeleting] = useState(false);
  const [editing, setEditing] = useState<EditTarget | null>(null);
  const edit = useTaxonomyEdit();
  // `category` may hold only the groups that match the filter.
  const complete = tree.find((c) => c.key === category.key) ?? category;
  return (
    <Card
      title={
        <>
          <CategoryIcon category={category.key} />
          <h2 className="h3">{serverText(category.label)}</h2>
          <code className="mono muted">{category.key}</code>
          <span className="muted meta">{t('{n|# group|# groups}', { n: complete.groups.length })}</span>
        </>
      }
      aside={
        editable && (
          <>
            <Button
              size="s"
              onClick={() => setEditing({ category: complete })}
              aria-label={t('Edit category {label}', { label: serverText(category.label) })}
            >
              {t('Edit')}
            </Button>
            {!category.is_builtin && (
              <Button
                size="s"
                variant="danger"
                onClick={() => setDeleting(true)}
                aria-label={t('Remove category {label}', { label: serverText(category.label) })}
              >
                {t('Remove')}
              </Button>
            )}
          </>
        )
      }
    >
      {category.description && <p className="t2">{serverText(category.description)}</p>}
      {category.groups.map((group) => (
        <GroupRow
          key={group.key}
          group={group}
          typed={typed}
          editable={editable}
          onEdit={edit.mutate}
          onEditGroup={() => setEditing({ group: complete.groups.find((one) => one.key === group.key) ?? group, in: category.key })}
        />
      ))}
      <ErrorNote error={edit.error} />
      {editing && <EditDialog target={editing} tree={tree} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        opened={deleting}
        title={t('Remove category “{label}”?', { label: serverText(category.label) })}
        confirm={t('Remove category')}
        danger
        onConfirm={() =>
          edit.mutateAsync({
            run: () => catalog.deleteCategory(category.key),
            done: t('Category {label} removed', { label: serverText(category.label) }),
          })
        }
        onClose={() => setDeleting(false)}
      >
        {t('A category with groups cannot be removed. Move or remove its groups first.')}
      </ConfirmDialog>
    </Card>
  );
}

const SHOWN_EXTENSIONS = 24;

function GroupRow({
  group,
  typed,
  editable,
  onEdit,
  onEditGroup,
}: {
  group: TaxonomyGroup;
  typed: string;
  editable: boolean;
  onEdit: (edit: TaxonomyEdit) => void;
  onEditGroup: () => void;
}) {
  const [ext, setExt] = useState('');
  const [all, setAll] = useState(false);
  const q = typed.trim().toLowerCase().replace(/^\./, '');
  const list = q ? [...group.extensions].sort((a, b) => Number(b.startsWith(q)) - Number(a.startsWith(q))) : group.extensions;
  const shown = all ? list : list.slice(0, SHOWN_EXTENSIONS);
  const add = () => {
    const clean = ext.trim().toLowerCase().replace(/^\.+/, '');
    if (!clean) return;
    onEdit({
      run: () => catalog.addExtension(group.key, clean),
      done: t('.{clean} added to {label}', { clean, label: serverText(group.label) }),
    });
    setExt('');
  };
  return (
    <div className={s.group} data-row>
      <div>
        <h3 className="m5">
          <bdi>{serverText(group.label)}</bdi>
        </h3>
        <div className="meta muted">{t('{n|# extension|# extensions}', { n: group.extensions.length })}</div>
        {editable && (
          <LinkButton data-main onClick={onEditGroup} aria-label={t('Edit group {label}', { label: serverText(group.label) })}>
            {t('Edit')}
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
                label={t('Remove .{one} from {label}', { one, label: serverText(group.label) })}
                onClick={() =>
                  onEdit({
                    run: () => catalog.removeExtension(group.key, one),
                    done: t('.{one} removed from {label}', { one, label: serverText(group.label) }),
                  })
                }
              >
                <X size={12} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
        {list.length > SHOWN_EXTENSIONS && (
          <li>
            <button type="button" className={s.more} onClick={() => setAll(!all)}>
              {all ? t('Show fewer') : t('{list} more', { list: formatCount(list.length - SHOWN_EXTENSIONS) })}
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
                aria-label={t('Add an extension to {label}', { label: serverText(group.label) })}
                placeholder={t('Add')}
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
