import { useQuery } from '@tanstack/react-query';
import { Check, ChevronRight, CornerLeftUp, Folder, FolderOpen, HardDrive, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import type { FsFolder } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { IconButton } from '../../components/button.tsx';
import s from './dialogs.module.css';
import { useFolderCount } from './exclusion-counts.ts';

const isHidden = ({ name }: { name: string }): number => (name.startsWith('.') ? 1 : 0);
const hiddenLast = (a: { name: string }, b: { name: string }): number => isHidden(a) - isHidden(b);

/** Folders of the server, as far as it lets one look. A click chooses, the arrow goes in. */
export function FolderPicker({ value, onChange, offer }: { value: string; onChange: (path: string) => void; offer?: boolean }) {
  const [at, setAt] = useState('');
  const folder = useQuery({
    queryKey: ['fs', at],
    queryFn: async () => {
      const answer = await catalog.browseFolders(at);
      // One folder offered is no choice: look into it at once.
      return answer.path === '' && answer.dirs.length === 1 ? catalog.browseFolders(answer.dirs[0]!.path) : answer;
    },
  });
  const files = useFolderCount(folder.data?.path ?? '').data;
  // On the first visit the one folder the server was pointed at is chosen already.
  const only = offer && value === '' && folder.data?.roots.length === 1 ? folder.data.roots[0]! : null;
  useEffect(() => {
    if (only) onChange(only);
  }, [only, onChange]);

  if (folder.error)
    return (
      <p className="t2" role="alert">
        {errorMessage(folder.error)} Type the path below.
      </p>
    );
  if (!folder.data)
    return (
      <p className="muted" role="status">
        Looking at the server’s folders…
      </p>
    );
  const { path, parent, roots, dirs } = folder.data;
  return (
    <div className={s.folder}>
      <div className={s.crumb}>
        <HardDrive size={16} aria-hidden />
        <bdi className="mono cut grow">{path || 'Folders the server offers'}</bdi>
        {roots.includes(path) ? (
          <span className="meta muted nw">offered by the server</span>
        ) : (
          parent && (
            <IconButton size="m" label="Up a folder" onClick={() => setAt(parent)}>
              <CornerLeftUp size={16} aria-hidden />
            </IconButton>
          )
        )}
      </div>
      <ul className={s.entries} data-list aria-label={path ? `Folders in ${path}` : 'Folders the server offers'}>
        {path && (
          <FolderRow name={`${path} itself`} on={value === path} onPick={() => onChange(path)}>
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
          More folders than fit here. Type the path instead.
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
  complete ? pluralize(files, 'file') : files > 0 ? `over ${pluralize(files, 'file')}` : '';

/** A share may take its time: its files are counted when it is chosen. */
function folderHint({ network, readable }: FsFolder, files: FileCount | undefined) {
  if (!readable)
    return (
      <span className={s.locked}>
        <Lock size={12} aria-hidden /> cannot be read
      </span>
    );
  return network ? 'network share' : files && fileCountText(files);
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
  const chosen = on && <Check size={16} aria-label="chosen" className={s.chosen} />;
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
        <button type="button" className={s.into} aria-label={`Open ${name}`} onClick={onEnter}>
          <ChevronRight size={16} aria-hidden />
        </button>
      ) : (
        <span className={s.into}>{chosen}</span>
      )}
    </li>
  );
}
