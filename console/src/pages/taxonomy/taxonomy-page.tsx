import { Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { TaxonomyCategory } from '../../api/types.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { serverText, t } from '../../language/text.ts';
import { listProps, readOnlyListProps } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import { CategoryCard } from './category-card.tsx';
import { AddDialog, SyncDialog } from './taxonomy-dialogs.tsx';

/** Filters categories by name, group or extension. */
function filterTree(tree: TaxonomyCategory[], typed: string): TaxonomyCategory[] {
  const q = typed.trim().toLowerCase().replace(/^\./, '');
  if (!q) return tree;
  return tree
    .map((category) => ({
      ...category,
      groups: category.groups.filter(
        (group) =>
          serverText(group.label).toLowerCase().includes(q) || group.key.includes(q) || group.extensions.some((ext) => ext.startsWith(q)),
      ),
    }))
    .filter((category) => category.groups.length > 0 || serverText(category.label).toLowerCase().includes(q));
}

/** Reclassifies existing files in the background. */
function reclassifyFiles(): void {
  catalog.reclassify().then(
    ({ already_queued }) => toast(already_queued ? t('Reclassification is already running') : t('Reclassifying files in the background')),
    (error: unknown) => toast(t('Could not start reclassification. {errorMessage}', { errorMessage: errorMessage(error) })),
  );
}

/** Categories, groups and extensions. Every change reclassifies existing files in the background. */
export default function TaxonomyPage() {
  const { can } = useSession();
  const taxonomy = useQuery({ queryKey: ['taxonomy'], queryFn: catalog.taxonomy });
  const [typed, setTyped] = useState('');
  const [adding, setAdding] = useState<'category' | 'group' | 'built-in' | null>(null);
  const tree = taxonomy.data?.tree;
  const shown = useMemo(() => filterTree(tree ?? [], typed), [tree, typed]);
  if (taxonomy.error && !taxonomy.data) return <ErrorState error={taxonomy.error} retry={() => void taxonomy.refetch()} />;
  if (!tree) return <Loading what={t('file types')} />;
  const groups = tree.reduce((n, c) => n + c.groups.length, 0);
  const extensions = tree.reduce((n, c) => n + c.groups.reduce((m, g) => m + g.extensions.length, 0), 0);
  return (
    <Page
      title={t('File types')}
      lead={t(
        '{extensions} extensions in {groups|# group|# groups} and {tree|# category|# categories}. Changes reclassify files in the background.',
        { extensions, groups, tree: tree.length },
      )}
      actions={
        <>
          <TextInput
            aria-label={t('Find a category, group or extension')}
            placeholder={t('Find a group or extension')}
            leftSection={<Search size={14} aria-hidden />}
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
            w={260}
          />
          {can('admin') && (
            <>
              <Button onClick={() => setAdding('group')}>
                <Plus size={16} aria-hidden />
                {t('New group')}
              </Button>
              <Button onClick={() => setAdding('category')}>
                <Plus size={16} aria-hidden />
                {t('New category')}
              </Button>
              <Menu position="bottom-end">
                <Menu.Target>
                  <IconButton label={t('More actions')}>
                    <Ellipsis size={16} aria-hidden />
                  </IconButton>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => setAdding('built-in')}>{t('Compare with built-in file types…')}</Menu.Item>
                  <Menu.Item onClick={reclassifyFiles}>{t('Reclassify all files')}</Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </>
          )}
        </>
      }
    >
      <div className="col g4" {...(can('admin') ? listProps : readOnlyListProps)}>
        {shown.map((category) => (
          <CategoryCard key={category.key} category={category} tree={tree} typed={typed} editable={can('admin')} />
        ))}
        {shown.length === 0 && <p className="muted">{t('No category, group or extension matches “{typed}”.', { typed })}</p>}
      </div>
      {adding === 'built-in' && <SyncDialog onClose={() => setAdding(null)} />}
      {(adding === 'group' || adding === 'category') && <AddDialog what={adding} tree={tree} onClose={() => setAdding(null)} />}
    </Page>
  );
}
