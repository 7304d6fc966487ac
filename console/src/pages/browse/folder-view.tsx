import { ChevronRight, Folder } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { TreeFolder } from '../../api/types.ts';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { ErrorState } from '../../components/states.tsx';
import { CategoryIcon, Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatDate } from '../../format/dates.ts';
import { formatBytes } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { inReadingDirection } from '../../language/direction.ts';
import { t } from '../../language/text.ts';
import s from './folder-view.module.css';
import { joinPath } from './tree-lines.ts';
import { type FileSort, type FolderFile, useFolderFiles } from './use-folder-files.ts';
import { isTypedKey, useTypeAhead } from './use-type-ahead.ts';

interface FolderViewProps {
  library: string;
  path: string;
  folders: TreeFolder[];
  /** How many subfolders are not loaded. */
  more: number;
  grid: boolean;
  sort: FileSort;
  /** The file shown in the inspector. */
  selected: string;
  /** One tap opens a folder or file. */
  touch: boolean;
  onSort: (sort: FileSort) => void;
  onSelect: (id: string) => void;
  onEnter: (path: string) => void;
  /** Loads more subfolders. */
  onMore: () => void;
  onOpen: (id: string) => void;
  onQuickLook: (id: string, ids: string[]) => void;
}

type Entry =
  | { kind: 'folder'; key: string; folder: TreeFolder }
  | { kind: 'more'; key: string }
  | { kind: 'file'; key: string; file: FolderFile };

/** The folders and files of one folder, with the keys of a file manager: arrows, Enter, Space, and typing the start of a name. */
export function FolderView(props: FolderViewProps) {
  const { library, path, folders, more, grid, sort, selected, touch } = props;
  const { files, error, retry, loading, loadMore } = useFolderFiles(library, path, sort);
  const entries: Entry[] = [
    ...folders.map((folder): Entry => ({ kind: 'folder', key: `folder ${folder.name}`, folder })),
    ...(more > 0 ? [{ kind: 'more' as const, key: 'more' }] : []),
    ...files.map((file): Entry => ({ kind: 'file', key: file.id, file })),
  ];
  const box = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const shown = entries.findIndex(({ key }) => key === selected);
  // Another folder starts at its top, or at the file that a link selects.
  // biome-ignore lint/correctness/useExhaustiveDependencies: not when a person selects another file
  useEffect(() => {
    setCurrent(Math.max(0, shown));
    if (shown >= 0) box.current?.querySelector(`[data-entry="${CSS.escape(selected)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [library, path, files.length > 0]);

  const pick = (index: number) => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, index))];
    if (!entry) return;
    setCurrent(entries.indexOf(entry));
    if (entry.kind === 'file') props.onSelect(entry.file.id);
    if (entry.kind === 'more') props.onMore();
    box.current?.querySelector(`[data-entry="${CSS.escape(entry.key)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const { type, typing } = useTypeAhead(() => entries.map(nameOf), pick);
  const open = (entry: Entry | undefined) => {
    if (entry?.kind === 'folder') props.onEnter(joinPath(path, entry.folder.name));
    else if (entry?.kind === 'file') props.onOpen(entry.file.id);
    else if (entry) props.onMore();
  };
  const columns = (): number => {
    const tiles = [...(box.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    const [first] = tiles;
    return grid && first ? Math.max(1, tiles.filter((tile) => tile.offsetTop === first.offsetTop).length) : 1;
  };
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const entry = entries[current];
    if (event.key === 'ArrowDown') pick(current + columns());
    else if (event.key === 'ArrowUp') pick(current - columns());
    else if (inReadingDirection(event.key) === 'ArrowRight' && grid) pick(current + 1);
    else if (inReadingDirection(event.key) === 'ArrowLeft' && grid) pick(current - 1);
    else if (event.key === 'Home') pick(0);
    else if (event.key === 'End') pick(entries.length - 1);
    else if (event.key === 'Enter') open(entry);
    else if (event.key === ' ' && !typing()) {
      if (entry?.kind !== 'file') return;
      props.onQuickLook(
        entry.file.id,
        files.map((file) => file.id),
      );
    } else if (isTypedKey(event.key)) type(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (error && files.length === 0) return <ErrorState error={error} retry={retry} />;
  return (
    <>
      {!grid && <Head sort={sort} onSort={props.onSort} />}
      <div
        ref={box}
        className={grid ? s.grid : s.list}
        role="listbox"
        aria-label={t('Folders and files')}
        aria-activedescendant={entries[current] ? `entry-${current}` : undefined}
        tabIndex={0}
        onKeyDown={keys}
        onScroll={({ currentTarget }) => {
          if (currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < 800) loadMore();
        }}
      >
        {entries.map((entry, index) => (
          <div
            key={entry.key}
            id={`entry-${index}`}
            data-entry={entry.key}
            className={grid ? s.tile : s.row}
            role="option"
            tabIndex={-1}
            aria-selected={entry.kind === 'file' ? entry.file.id === selected : false}
            data-current={index === current}
            onClick={() => (touch ? open(entry) : pick(index))}
            onDoubleClick={() => open(entry)}
            onKeyDown={() => {}}
          >
            {entry.kind === 'folder' ? (
              <FolderEntry folder={entry.folder} />
            ) : entry.kind === 'more' ? (
              <MoreEntry more={more} />
            ) : (
              <FileEntry file={entry.file} />
            )}
          </div>
        ))}
        {entries.length === 0 && (
          <p className={s.empty}>{loading ? t('Loading the files of this folder…') : t('This folder has no files.')}</p>
        )}
      </div>
    </>
  );
}

const nameOf = (entry: Entry): string => (entry.kind === 'folder' ? entry.folder.name : entry.kind === 'file' ? entry.file.filename : '');

function Head({ sort, onSort }: { sort: FileSort; onSort: (sort: FileSort) => void }) {
  const column = (value: FileSort, label: string) => (
    <button type="button" className={s.column} data-on={sort === value} aria-pressed={sort === value} onClick={() => onSort(value)}>
      {label}
    </button>
  );
  return (
    <div className={s.head} role="group" aria-label={t('Sort by')}>
      <span />
      {column('name', t('Name'))}
      {column('size', t('Size'))}
      {column('mtime', t('Modified'))}
      <span />
    </div>
  );
}

function FolderEntry({ folder }: { folder: TreeFolder }) {
  return (
    <>
      <span className={s.picture}>
        <Folder size={20} aria-hidden />
      </span>
      <span className={s.name}>
        <bdi className="cut m5">{visibleName(folder.name)}</bdi>
        <span className="muted meta nw">{t('{n|# file|# files}', { n: folder.item_count })}</span>
      </span>
      <span className={s.size}>{formatBytes(folder.total_bytes)}</span>
      <span className={s.date} />
      <span className={s.icon}>
        <ChevronRight size={16} aria-hidden />
      </span>
    </>
  );
}

function MoreEntry({ more }: { more: number }) {
  return (
    <>
      <span className={s.picture}>
        <Folder size={20} aria-hidden />
      </span>
      <span className={s.name}>{t('Show more folders ({more} left)', { more })}</span>
    </>
  );
}

function FileEntry({ file }: { file: FolderFile }) {
  return (
    <>
      <span className={s.picture}>
        <Thumb id={file.id} available={file.has_thumb} version={thumbVersion(file)} inList category={file.file_category} />
      </span>
      <span className={s.name}>
        <MiddleEllipsis name={file.filename} />
      </span>
      <span className={s.size}>{formatBytes(file.size)}</span>
      <span className={s.date}>{formatDate(file.mtime)}</span>
      <span className={s.icon}>
        <CategoryIcon category={file.file_category} labelled />
      </span>
    </>
  );
}
