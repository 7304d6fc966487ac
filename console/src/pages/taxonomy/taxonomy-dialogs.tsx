import { Modal, Select, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { pluralize } from '../../format/numbers.ts';
import { slugify } from '../../format/slugify.ts';

export interface TaxonomyEdit {
  run: () => Promise<unknown>;
  /** The message shown on success. */
  done: string;
}

/** Runs one change of the taxonomy, refetches it and shows a message. */
export function useTaxonomyEdit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: TaxonomyEdit) => edit.run().then(() => edit.done),
    onSuccess: (done) => {
      void client.invalidateQueries({ queryKey: ['taxonomy'] });
      toast(done);
    },
  });
}

export type EditTarget = { category: TaxonomyCategory } | { group: TaxonomyGroup; in: string };

/** Edits a category or group; a group can also be moved to another category or removed. */
export function EditDialog({ target, tree, onClose }: { target: EditTarget; tree: TaxonomyCategory[]; onClose: () => void }) {
  const edited = 'category' in target ? target.category : target.group;
  const [label, setLabel] = useState(edited.label);
  const known = 'description' in edited && typeof edited.description === 'string' ? edited.description : '';
  const [description, setDescription] = useState(known);
  const [category, setCategory] = useState<string | null>('category' in target ? null : target.in);
  const edit = useTaxonomyEdit();
  const saving = useTaxonomyEdit();
  // An unchanged description is not sent, so that it cannot overwrite a newer one.
  const change = { label: label.trim(), ...(description.trim() !== known ? { description: description.trim() } : {}) };
  const save = (): Promise<unknown> =>
    'category' in target
      ? catalog.updateCategory(edited.key, change)
      : catalog.updateFileGroup(edited.key, { ...change, ...(category && category !== target.in ? { category } : {}) });
  const remove = () =>
    edit.mutate({ run: () => catalog.deleteFileGroup(edited.key), done: `Group ${edited.label} removed` }, { onSuccess: onClose });
  return (
    <FormDialog
      title={`Edit ${edited.label}`}
      submit="Save"
      ready={label.trim() !== ''}
      save={() => saving.mutateAsync({ run: save, done: `${change.label} saved` })}
      onSaved={() => {}}
      onClose={onClose}
      aside={
        'group' in target &&
        !target.group.is_builtin && (
          <Button size="l" variant="danger" disabled={edit.isPending} onClick={remove}>
            Remove group with {pluralize(target.group.extensions.length, 'extension')}
          </Button>
        )
      }
    >
      {(errorAt) => (
        <>
          <NameField
            description={`Key: ${edited.key} (cannot be changed)`}
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('label')}
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            maxLength={500}
            value={description}
            error={errorAt('description')}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          {'group' in target && (
            <Select
              label="Category"
              description={
                category !== target.in
                  ? `${pluralize(target.group.extensions.length, 'extension')} will be moved, and their files reclassified.`
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

export function AddDialog({ what, tree, onClose }: { what: 'category' | 'group'; tree: TaxonomyCategory[]; onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [category, setCategory] = useState<string | null>(tree[0]?.key ?? null);
  const edit = useTaxonomyEdit();
  const key = slugify(label, '-');
  const add = (): Promise<unknown> =>
    what === 'category'
      ? catalog.createCategory({ key, label: label.trim() })
      : catalog.createFileGroup({ key, label: label.trim(), category: category ?? '' });
  return (
    <FormDialog
      title={what === 'category' ? 'New category' : 'New group'}
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
              label="Category"
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

/** Lists the built-in entries this catalog lacks and adds them on request. Custom entries are not changed. */
export function SyncDialog({ onClose }: { onClose: () => void }) {
  const missing = useQuery({ queryKey: ['taxonomy', 'sync'], queryFn: () => catalog.syncTaxonomy(true), staleTime: 0 });
  const edit = useTaxonomyEdit();
  const rows = missing.data
    ? ([
        ['category', missing.data.categories],
        ['group', missing.data.groups],
        ['extension', missing.data.extensions],
      ] as const)
    : [];
  const total = rows.reduce((n, [, list]) => n + list.length, 0);
  return (
    <Modal opened onClose={onClose} title="Built-in file types" closeButtonProps={{ 'aria-label': 'Close' }}>
      {missing.error ? (
        <ErrorState error={missing.error} retry={() => void missing.refetch()} />
      ) : !missing.data ? (
        <Loading what="built-in file types" />
      ) : total === 0 ? (
        <p className="t2">All built-in file types are present. Your own changes are kept.</p>
      ) : (
        <div className="col g3">
          <p className="t2">These built-in entries are missing from this catalog. Your own changes are kept.</p>
          {rows.map(([noun, list]) =>
            list.length === 0 ? null : (
              <div key={noun}>
                <div className="b">{pluralize(list.length, noun, noun === 'category' ? 'categories' : `${noun}s`)}</div>
                <p className="mono t2 anywhere">
                  {list.slice(0, 60).join(' ')}
                  {list.length > 60 && ' …'}
                </p>
              </div>
            ),
          )}
          <ErrorNote error={edit.error} />
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button
              variant="primary"
              size="l"
              disabled={edit.isPending}
              onClick={() =>
                edit.mutate(
                  { run: () => catalog.syncTaxonomy(false), done: `${pluralize(total, 'entry', 'entries')} added` },
                  { onSuccess: onClose },
                )
              }
            >
              Add {pluralize(total, 'entry', 'entries')}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
