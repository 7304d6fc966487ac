import { useQuery } from '@tanstack/react-query';
import { Check, ChevronRight, CornerLeftUp, Folder, FolderOpen, HardDrive, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { FsFolder } from '../../api/types.ts';
import { IconButton } from '../../components/button.tsx';
import { t } from '../../language/text.ts';
import s from './dialogs.module.css';
import { useFolderCount } from './exclusion-counts.ts';

const isHidden = ({ name }: { name: string }): number => (name.startsWith('.') ? 1 : 0);
const hiddenLast = (a: { name: string }, b: { name: string }): number => isHidden(a) - isHidden(b);

/** Browses the server's folders. A click selects a folder, the arrow opens it. */
export function FolderPicker({ value, onChange, preselect }: { value: string; onChange: (path: string) => void; preselect?: boolean }) {
  const [at, setAt] = useState('');
  const folder = useQuery({
    queryKey: ['fs', at],
    queryFn: async () => {
      const listing = await catalog.browseFolders(at);
      // With only one root there is nothing to choose, so open it directly.
      const [only, ...others] = listing.dirs;
      return listing.path === '' && only && others.length === 0 ? catalog.browseFolders(only.path) : listing;
    },
  });
  const files = useFolderCount(folder.data?.path ?? '').data;
  // During first-run setup the only configured root is preselected.
  const [root, ...otherRoots] = folder.data?.roots ?? [];
  const only = preselect && value === '' && root && otherRoots.length === 0 ? root : null;
  useEffect(() => {
    if (only) onChange(only);
  }, [only, onChange]);

  if (folder.error)
    return (
      <p className="t2" role="alert">
        {t('{errorMessage} Enter the path below.', { errorMessage: errorMessage(folder.error) })}
      </p>
    );
  if (!folder.data)
    return (
      <p className="muted" role="status">
        {t('Loading folders…')}
      </p>
    );
  const { path, parent, roots, dirs } = folder.data;
  return (
    <div className={s.folder}>
      <div className={s.crumb}>
        <HardDrive size={16} aria-hidden />
        <bdi className="mono cut grow">{path || t('Available folders')}</bdi>
        {roots.includes(path) ? (
          <span className="meta muted nw">{t('Top-level folder')}</span>
        ) : (
          parent && (
            <IconButton size="m" label={t('Parent folder')} onClick={() => setAt(parent)}>
              <CornerLeftUp size={16} aria-hidden />
            </IconButton>
          )
        )}
      </div>
      <ul className={s.entries} data-list aria-label={path ? t('Folders in {path}', { path }) : t('Available folders')}>
        {path && (
          <FolderRow name={t('{path} (this folder)', { path })} on={value === path} onPick={() => onChange(path)}>
            {files && fileCountText(files)}
          </FolderRow>
        )}
        {[...dirs].sort(hiddenLast).map((dir) => (
          <FolderRow
            key={dir.path}
            name={dir.name}
            on={value === dir.path}
            locked={!dir.readable}
            onPick={() => onChange(dir.path)}
            onEnter={() => setAt(dir.path)}
          >
            {folderHint(
              dir,
              files?.dirs.find(({ name }) => name === dir.name),
            )}
          </FolderRow>
        ))}
      </ul>
      {folder.data.truncated && (
        <p className="muted meta" style={{ padding: '4px 12px' }}>
          {t('Not all folders are shown. Enter the path instead.')}
        </p>
      )}
    </div>
  );
}

interface FileCount {
  files: number;
  complete: boolean;
}

const fileCountText = ({ files, complete }: FileCount): string =>
  complete ? t('{n|# file|# files}', { n: files }) : files > 0 ? t('More than {files|# file|# files}', { files }) : '';

/** Network shares can be slow, so their files are counted only when selected. */
function folderHint({ network, readable }: FsFolder, files: FileCount | undefined) {
  if (!readable)
    return (
      <span className={s.locked}>
        <Lock size={12} aria-hidden /> {t('No read access')}
      </span>
    );
  return network ? t('Network share') : files && fileCountText(files);
}

interface FolderRowProps {
  name: string;
  on: boolean;
  locked?: boolean;
  onPick: () => void;
  onEnter?: () => void;
  children?: ReactNode;
}

function FolderRow({ name, on, locked = false, onPick, onEnter, children }: FolderRowProps) {
  const Icon = on ? FolderOpen : Folder;
  const chosen = on && <Check size={16} aria-label={t('Selected')} className={s.chosen} />;
  return (
    <li data-on={on}>
      <button type="button" data-main className={s.pick} aria-pressed={on} aria-disabled={locked} onClick={locked ? undefined : onPick}>
        <Icon size={16} aria-hidden />
        <bdi className="mono cut" style={{ fontSize: 13 }}>
          {name}
        </bdi>
        <span className="meta muted nw num">{children}</span>
        {onEnter && chosen}
      </button>
      {onEnter && !locked ? (
        <button type="button" className={s.into} aria-label={t('Open {name}', { name })} onClick={onEnter}>
          <ChevronRight size={16} aria-hidden />
        </button>
      ) : (
        <span className={s.into}>{chosen}</span>
      )}
    </li>
  );
}
