import { Modal, Select, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX, Plus, Search, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import type { Taxonomy, TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { count, counted } from '../../format/numbers.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CategoryIcon } from '../../parts/category-icon.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSession } from '../../shell/session.tsx';
import s from './taxonomy-page.module.css';

/** Kinds that match what is typed: by name, group, or extension. */
function matching(tree: TaxonomyCategory[], typed: string): TaxonomyCategory[] {
  const q = typed.trim().toLowerCase().replace(/^\./, '');
  if (!q) return tree;
  return tree
    .map((category) => ({
      ...category,
      groups: category.groups.filter(
        (group) => group.label.toLowerCase().includes(q) || group.key.includes(q) || group.extensions.some((ext) => ext.startsWith(q)),
      ),
    }))
    .filter((category) => category.groups.length > 0 || category.label.toLowerCase().includes(q));
}

/** Which extension belongs to which group and kind. A change classifies existing files again in the background. */
export default function TaxonomyPage() {
  const { can } = useSession();
  const taxonomy = useQuery({ queryKey: ['taxonomy'], queryFn: catalog.taxonomy });
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState<'category' | 'group' | null>(null);
  const tree = taxonomy.data?.tree;
  const shown = useMemo(() => matching(tree ?? [], typed), [tree, typed]);
  if (taxonomy.error && !taxonomy.data) return <ErrorState error={taxonomy.error} retry={() => void taxonomy.refetch()} />;
  if (!tree) return <Loading what="kinds" />;
  const groups = tree.reduce((n, c) => n + c.groups.length, 0);
  const extensions = tree.reduce((n, c) => n + c.groups.reduce((m, g) => m + g.extensions.length, 0), 0);
  return (
    <Page
      title="Kinds of file"
      lead={`${count(extensions)} extensions in ${counted(groups, 'group')} and ${counted(tree.length, 'kind')}. A change classifies files again in the background.`}
      actions={
        <>
          <TextInput
            aria-label="Find a kind or an extension"
            placeholder="Find an extension or a group"
            leftSection={<Search size={14} aria-hidden />}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
            w={260}
          />
          {can('admin') && (
            <>
              <Button onClick={() => setAdding('group')}>
                <Plus size={16} aria-hidden />
                New group
              </Button>
              <Button onClick={() => setAdding('category')}>
                <Plus size={16} aria-hidden />
                New kind
              </Button>
            </>
          )}
        </>
      }
    >
      <div className="col g4">
        {shown.map((category) => (
          <CategoryCard key={category.key} category={category} taxonomy={taxonomy.data!} typed={typed} editable={can('admin')} />
        ))}
        {shown.length === 0 && <p className="muted">No kind, group or extension has “{typed}” in it.</p>}
      </div>
      {adding && <AddDialog what={adding} tree={tree} onClose={() => setAdding(null)} />}
    </Page>
  );
}

function useTaxonomyEdit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: { run: () => Promise<unknown>; done: string }) => edit.run().then(() => edit.done),
    onSuccess: (done) => {
      void client.invalidateQueries({ queryKey: ['taxonomy'] });
      toast(done);
    },
  });
}

function CategoryCard({
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
  const edit = useTaxonomyEdit();
  const whole = taxonomy.tree.find((c) => c.key === category.key)!;
  return (
    <Card
      title={
        <>
          <CategoryIcon category={category.key} />
          <h2 className="h3">{category.label}</h2>
          <code className="mono muted">{category.key}</code>
          <span className="muted meta">{counted(whole.groups.length, 'group')}</span>
        </>
      }
      aside={
        editable &&
        !category.is_builtin && (
          <Button size="s" variant="danger" onClick={() => setDeleting(true)}>
            Remove
          </Button>
        )
      }
    >
      {category.description && <p className="t2">{category.description}</p>}
      {category.groups.map((group) => (
        <GroupRow key={group.key} group={group} typed={typed} editable={editable} onEdit={edit.mutate} />
      ))}
      {edit.error && (
        <Note tone="danger" icon={CircleX} live>
          {sentence(edit.error)}
        </Note>
      )}
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

function GroupRow({
  group,
  typed,
  editable,
  onEdit,
}: {
  group: TaxonomyGroup;
  typed: string;
  editable: boolean;
  onEdit: (edit: { run: () => Promise<unknown>; done: string }) => void;
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
    <div className={s.group}>
      <div>
        <h3 className="m5">{group.label}</h3>
        <div className="meta muted">{counted(group.extensions.length, 'extension')}</div>
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
              {all ? 'Show fewer' : `${count(list.length - SHORT)} more`}
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

const keyFrom = (label: string): string =>
  label
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

function AddDialog({ what, tree, onClose }: { what: 'category' | 'group'; tree: TaxonomyCategory[]; onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [category, setCategory] = useState<string | null>(tree[0]?.key ?? null);
  const edit = useTaxonomyEdit();
  return (
    <Modal opened onClose={onClose} title={what === 'category' ? 'New kind' : 'New group'} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          const key = keyFrom(label);
          edit.mutate(
            {
              run: () =>
                what === 'category'
                  ? catalog.createCategory({ key, label: label.trim() })
                  : catalog.createGroup({ key, label: label.trim(), category: category! }),
              done: `${label.trim()} added`,
            },
            { onSuccess: onClose },
          );
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          value={label}
          maxLength={128}
          description={label ? `Key: ${keyFrom(label)}` : undefined}
          onChange={(e) => setLabel(e.currentTarget.value)}
        />
        {what === 'group' && (
          <Select
            label="Kind"
            allowDeselect={false}
            data={tree.map((c) => ({ value: c.key, label: c.label }))}
            value={category}
            onChange={setCategory}
          />
        )}
        {edit.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(edit.error)}
          </Note>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button type="submit" variant="primary" size="l" disabled={!keyFrom(label) || edit.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Modal>
  );
}
