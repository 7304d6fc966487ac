import { Select, Textarea, Modal } from '@mantine/core';
import { useState } from 'react';
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { slugify } from '../../format/slugify.ts';

export interface TaxonomyEdit {
  run: () => Promise<unknown>;
  /** Said when it is done. */
  done: string;
}

/** One change of the table of kinds; the page is read again after it. */
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

export type EditTarget = { kind: TaxonomyCategory } | { group: TaxonomyGroup; in: string };

/** The name and description of a kind or a group; a group can also move to another kind, or go. */
export function EditDialog({ what, tree, onClose }: { what: EditTarget; tree: TaxonomyCategory[]; onClose: () => void }) {
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

/** What the shipped table of this version has and this catalog lacks: shown first, then added. Nothing of one's own is changed. */
export function SyncDialog({ onClose }: { onClose: () => void }) {
  const lacking = useQuery({ queryKey: ['taxonomy', 'sync'], queryFn: () => catalog.syncTaxonomy(true), staleTime: 0 });
  const edit = useTaxonomyEdit();
  const rows = lacking.data
    ? ([
        ['kind', lacking.data.categories],
        ['group', lacking.data.groups],
        ['extension', lacking.data.extensions],
      ] as const)
    : [];
  const total = rows.reduce((n, [, list]) => n + list.length, 0);
  return (
    <Modal opened onClose={onClose} title="Shipped kinds of file" closeButtonProps={{ 'aria-label': 'Close' }}>
      {lacking.error ? (
        <ErrorState error={lacking.error} retry={() => void lacking.refetch()} />
      ) : !lacking.data ? (
        <Loading what="the shipped table" />
      ) : total === 0 ? (
        <p className="t2">This catalog has everything that is shipped. Your own changes stay.</p>
      ) : (
        <div className="col g3">
          <p className="t2">These are shipped and missing here. What you changed yourself stays.</p>
          {rows.map(([word, list]) =>
            list.length === 0 ? null : (
              <div key={word}>
                <div className="b">{pluralize(list.length, word)}</div>
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
                edit.mutate({ run: () => catalog.syncTaxonomy(false), done: `${total} entries added` }, { onSuccess: onClose })
              }
            >
              Add {total} entries
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
