import { Select, Textarea } from '@mantine/core';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTaxonomyEdit } from './use-taxonomy-edit.ts';

export type Changing = { kind: TaxonomyCategory } | { group: TaxonomyGroup; in: string };

/** The name and description of a kind or a group; a group can also move to another kind, or go. */
export function ChangeDialog({ what, tree, onClose }: { what: Changing; tree: TaxonomyCategory[]; onClose: () => void }) {
  const thing = 'kind' in what ? what.kind : what.group;
  const [label, setLabel] = useState(thing.label);
  const known = 'description' in thing && typeof thing.description === 'string' ? thing.description : '';
  const [description, setDescription] = useState(known);
  const [category, setCategory] = useState<string | null>('kind' in what ? null : what.in);
  const edit = useTaxonomyEdit();
  const saving = useTaxonomyEdit();
  // What was not touched is not sent, so that nothing unseen is overwritten.
  const change = { label: label.trim(), ...(description.trim() !== known ? { description: description.trim() } : {}) };
  const save = (): Promise<unknown> =>
    'kind' in what
      ? catalog.updateCategory(thing.key, change)
      : catalog.updateFileGroup(thing.key, { ...change, ...(category && category !== what.in ? { category } : {}) });
  const remove = () =>
    edit.mutate({ run: () => catalog.deleteFileGroup(thing.key), done: `Group ${thing.label} removed` }, { onSuccess: onClose });
  return (
    <FormDialog
      title={`Change ${thing.label}`}
      submit="Save"
      ready={label.trim() !== ''}
      save={() => saving.mutateAsync({ run: save, done: `${change.label} changed` })}
      onSaved={() => {}}
      onClose={onClose}
      aside={
        'group' in what &&
        !what.group.is_builtin && (
          <Button size="l" variant="danger" disabled={edit.isPending} onClick={remove}>
            Remove group with {pluralize(what.group.extensions.length, 'extension')}
          </Button>
        )
      }
    >
      {(errorAt) => (
        <>
          <NameField
            description={`Key: ${thing.key}. It stays.`}
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('label')}
          />
          <Textarea
            label="In words"
            autosize
            minRows={2}
            maxLength={500}
            value={description}
            error={errorAt('description')}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          {'group' in what && (
            <Select
              label="Kind"
              description={
                category !== what.in
                  ? `${pluralize(what.group.extensions.length, 'extension')} move; files are classified again.`
                  : undefined
              }
              allowDeselect={false}
              data={tree.map((one) => ({ value: one.key, label: one.label }))}
              value={category}
              error={errorAt('category')}
              onChange={setCategory}
            />
          )}
          <ErrorNote error={edit.error} />
        </>
      )}
    </FormDialog>
  );
}
