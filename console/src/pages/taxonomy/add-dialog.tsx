import { Select } from '@mantine/core';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyCategory } from '../../api/types.ts';
import { slugify } from '../../format/slugify.ts';
import { FormDialog, NameField } from '../../components/form.tsx';
import { useTaxonomyEdit } from './use-taxonomy-edit.ts';

/** A new kind, or a new group in one. */
export function AddDialog({ what, tree, onClose }: { what: 'category' | 'group'; tree: TaxonomyCategory[]; onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [category, setCategory] = useState<string | null>(tree[0]?.key ?? null);
  const edit = useTaxonomyEdit();
  const key = slugify(label, '-');
  const add = (): Promise<unknown> =>
    what === 'category'
      ? catalog.createCategory({ key, label: label.trim() })
      : catalog.createFileGroup({ key, label: label.trim(), category: category! });
  return (
    <FormDialog
      title={what === 'category' ? 'New kind' : 'New group'}
      submit="Add"
      ready={key !== ''}
      save={() => edit.mutateAsync({ run: add, done: `${label.trim()} added` })}
      onSaved={() => {}}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField
            description={key ? `Key: ${key}` : undefined}
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('key', 'label')}
          />
          {what === 'group' && (
            <Select
              label="Kind"
              allowDeselect={false}
              data={tree.map((c) => ({ value: c.key, label: c.label }))}
              value={category}
              error={errorAt('category')}
              onChange={setCategory}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
