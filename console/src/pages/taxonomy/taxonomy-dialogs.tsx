import { Modal, Select, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { changedOnly, FormDialog, NameField } from '../../components/form.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { slugify } from '../../format/slugify.ts';
import { t } from '../../language/text.ts';

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
  const before = { label: edited.label, description: known };
  const change = changedOnly(before, { label: label.trim(), description: description.trim() });
  const save = (): Promise<unknown> =>
    'category' in target
      ? catalog.updateCategory(edited.key, change)
      : catalog.updateFileGroup(edited.key, { ...change, ...(category && category !== target.in ? { category } : {}) });
  const remove = () =>
    edit.mutate(
      { run: () => catalog.deleteFileGroup(edited.key), done: t('Group {label} removed', { label: edited.label }) },
      { onSuccess: onClose },
    );
  return (
    <FormDialog
      title={t('Edit {label}', { label: edited.label })}
      submit={t('Save')}
      ready={label.trim() !== ''}
      save={() => saving.mutateAsync({ run: save, done: t('{label} saved', { label: label.trim() }) })}
      onSaved={() => {}}
      onClose={onClose}
      aside={
        'group' in target &&
        !target.group.is_builtin && (
          <Button size="l" variant="danger" disabled={edit.isPending} onClick={remove}>
            {t('Remove group with {extensions|# extension|# extensions}', { extensions: target.group.extensions.length })}
          </Button>
        )
      }
    >
      {(errorAt) => (
        <>
          <NameField
            description={t('Key: {key} (cannot be changed)', { key: edited.key })}
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('label')}
          />
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            maxLength={500}
            value={description}
            error={errorAt('description')}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          {'group' in target && (
            <Select
              label={t('Category')}
              description={
                category !== target.in
                  ? t('{extensions|# extension|# extensions} will be moved, and their files reclassified.', {
                      extensions: target.group.extensions.length,
                    })
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
      title={what === 'category' ? t('New category') : t('New group')}
      submit={t('Add')}
      ready={key !== ''}
      save={() => edit.mutateAsync({ run: add, done: t('{label} added', { label: label.trim() }) })}
      onSaved={() => {}}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField
            description={key ? t('Key: {key}', { key }) : undefined}
            value={label}
            onChange={setLabel}
            maxLength={128}
            error={errorAt('key', 'label')}
          />
          {what === 'group' && (
            <Select
              label={t('Category')}
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
        [t('{n|# category|# categories}', { n: missing.data.categories.length }), missing.data.categories],
        [t('{n|# group|# groups}', { n: missing.data.groups.length }), missing.data.groups],
        [t('{n|# extension|# extensions}', { n: missing.data.extensions.length }), missing.data.extensions],
      ] as const)
    : [];
  const total = rows.reduce((n, [, list]) => n + list.length, 0);
  return (
    <Modal opened onClose={onClose} title={t('Built-in file types')} closeButtonProps={{ 'aria-label': t('Close') }}>
      {missing.error ? (
        <ErrorState error={missing.error} retry={() => void missing.refetch()} />
      ) : !missing.data ? (
        <Loading what={t('built-in file types')} />
      ) : total === 0 ? (
        <p className="t2">{t('All built-in file types are present. Your own changes are kept.')}</p>
      ) : (
        <div className="col g3">
          <p className="t2">{t('These built-in entries are missing from this catalog. Your own changes are kept.')}</p>
          {rows.map(([title, list]) =>
            list.length === 0 ? null : (
              <div key={title}>
                <div className="b">{title}</div>
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
                  { run: () => catalog.syncTaxonomy(false), done: t('{total|# entry|# entries} added', { total }) },
                  { onSuccess: onClose },
                )
              }
            >
              {t('Add {total|# entry|# entries}', { total })}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  );
}
