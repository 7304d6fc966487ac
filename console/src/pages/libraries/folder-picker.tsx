import { useQuery } from '@tanstack/react-query';
import { Check, ChevronRight, CornerLeftUp, Folder, FolderOpen, HardDrive } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import { IconButton } from '../../parts/button.tsx';
import s from './dialogs.module.css';

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
  // On the first visit the one folder the server was pointed at is chosen already.
  const only = offer && value === '' && folder.data?.roots.length === 1 ? folder.data.roots[0]! : null;
  useEffect(() => {
    if (only) onChange(only);
  }, [only, onChange]);

  if (folder.error)
    return (
      <p className="t2" role="alert">
        {sentence(folder.error)} Type the path below.
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
        {path && <FolderRow name={`${path} itself`} path={path} on={value === path} onPick={onChange} />}
        {[...dirs].sort(hiddenLast).map((dir) => (
          <FolderRow key={dir.path} name={dir.name} path={dir.path} on={value === dir.path} onPick={onChange} onEnter={setAt} />
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

function FolderRow(props: { name: string; path: string; on: boolean; onPick: (p: string) => void; onEnter?: (p: string) => void }) {
  const Icon = props.on ? FolderOpen : Folder;
  return (
    <li data-on={props.on}>
      <button type="button" data-main className={s.pick} aria-pressed={props.on} onClick={() => props.onPick(props.path)}>
        <Icon size={16} aria-hidden />
        <bdi className="mono cut" style={{ fontSize: 13 }}>
          {props.name}
        </bdi>
        {props.on && props.onEnter && <Check size={16} aria-label="chosen" className={s.chosen} />}
      </button>
      {props.onEnter ? (
        <button type="button" className={s.into} aria-label={`Open ${props.name}`} onClick={() => props.onEnter!(props.path)}>
          <ChevronRight size={16} aria-hidden />
        </button>
      ) : (
        <span className={s.into}>{props.on && <Check size={16} aria-label="chosen" className={s.chosen} />}</span>
      )}
    </li>
  );
}
