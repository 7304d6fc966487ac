import { Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { Library } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { IconButton } from '../../components/button.tsx';

/** What is done with a library more seldom. */
export function LibraryMenu({
  library,
  admin,
  onEdit,
  onDelete,
  onErrors,
  onCheck,
  stale,
  onRehash,
}: {
  library: Library;
  admin: boolean;
  onEdit: () => void;
  onDelete: () => void;
  onErrors: () => void;
  onCheck: () => void;
  /** Files hashed under an older scheme. */
  stale: number;
  onRehash: () => void;
}) {
  return (
    <Menu>
      <Menu.Target>
        <IconButton data-main size="m" label={`More about ${library.name}`}>
          <Ellipsis size={16} aria-hidden />
        </IconButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={`#/?library=${library.id}`}>
          Search in it
        </Menu.Item>
        <Menu.Item component="a" href={`#/browse/${library.id}`}>
          Browse its folders
        </Menu.Item>
        <Menu.Item component="a" href={`#/libraries/history?library=${library.id}`}>
          Scan history
        </Menu.Item>
        <Menu.Item onClick={onErrors}>Files that could not be read</Menu.Item>
        <Menu.Item onClick={onCheck}>Check this library</Menu.Item>
        {stale > 0 && <Menu.Item onClick={onRehash}>Hash {pluralize(stale, 'file')} again</Menu.Item>}
        {admin && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onEdit}>Edit…</Menu.Item>
            <Menu.Item color="var(--danger)" onClick={onDelete}>
              Remove…
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
