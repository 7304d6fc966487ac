import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Taxonomy, TaxonomyCategory } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { CategoryIcon } from '../../components/category-icon.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ChangeDialog, type Changing } from './change-dialog.tsx';
import { GroupRow } from './group-row.tsx';
import { useTaxonomyEdit } from './use-taxonomy-edit.ts';
import { ErrorNote } from '../../components/states.tsx';

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
  const [changing, setChanging] = useState<Changing | null>(null);
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
      {changing && <ChangeDialog what={changing} tree={taxonomy.tree} onClose={() => setChanging(null)} />}
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
