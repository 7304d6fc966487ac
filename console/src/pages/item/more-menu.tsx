import { Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { Item } from '../../api/types.ts';
import { IconButton } from '../../components/button.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { browseHref, parentOf } from '../browse/tree-lines.ts';
import { pathToUrl, sourceLink } from './source-link.ts';

/** Less common actions. */
export function MoreMenu({ item, mayEdit, onCopyPath }: { item: Item; mayEdit: boolean; onCopyPath: () => void }) {
  const client = useQueryClient();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['item', item.id] });
    void client.invalidateQueries({ queryKey: ['search'] });
  };
  const source = sourceLink(item);
  const folder = source ? pathToUrl(source.path.replace(/[\\/][^\\/]*$/, '')) : null;
  const failed = (error: unknown) => toast(t('Could not change the file. {errorMessage}', { errorMessage: errorMessage(error) }));
  const restore = useMutation({ mutationFn: () => catalog.restoreItem(item.id), onSuccess: refresh, onError: failed });
  const trash = useMutation({
    mutationFn: () => catalog.trashItem(item.id),
    onSuccess: () => {
      refresh();
      toast(t('{filename} moved to the recycle bin. The file on disk is unchanged.', { filename: item.filename }), () =>
        catalog.restoreItem(item.id).then(refresh),
      );
    },
    onError: failed,
  });
  return (
    <Menu>
      <Menu.Target>
        <IconButton size="m" label={t('More actions')}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onCopyPath}>{t('Copy path')}</Menu.Item>
        {source && (
          <Menu.Item component="a" href={source.href}>
            {t('Open original location')}
          </Menu.Item>
        )}
        {folder && (
          <Menu.Item component="a" href={folder}>
            {t('Open folder in the file manager')}
          </Menu.Item>
        )}
        <Menu.Item component="a" href={`#${browseHref(item.library_id, parentOf(item.rel_path), item.status === 'active' ? item.id : '')}`}>
          {t('Show in folder')}
        </Menu.Item>
        {mayEdit && item.status !== 'trashed' && <Menu.Item onClick={() => trash.mutate()}>{t('Move to recycle bin')}</Menu.Item>}
        {mayEdit && item.status === 'trashed' && <Menu.Item onClick={() => restore.mutate()}>{t('Restore')}</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}
