import { ChevronRight, Folder } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { TreeFolder } from '../../api/types.ts';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { ErrorState } from '../../components/states.tsx';
import { CategoryIcon } from '../../components/thumb.tsx';
import { baseName, visibleName } from '../../format/paths.ts';
import { inReadingDirection } from '../../language/direction.ts';
import { t } from '../../language/text.ts';
import s from './folder-columns.module.css';
import { ancestors, joinPath, parentOf } from './tree-lines.ts';
import { type FileSort, type FolderFile, useFolderFiles } from './use-folder-files.ts';
import { isTypedKey, useTypeAhead } from './use-type-ahead.ts';

interface ColumnsProps {
  library: string;
  /** The name of the library, which names the first column. */
  name: string;
  path: string;
  /** The loaded subfolders of a folder, and how many there are. */
  foldersOf: (path: string) => { folders: TreeFolder[]; total: number };
  /** Loads more subfolders of a folder. */
  onMore: (path: string) => void;
  sort: FileSort;
  /** The file shown in the inspector. */
  selected: string;
  /** Shows a folder in a further column, or the folder of a file with that file selected. */
  onShow: (path: string, file: string) => void;
  onOpen: (id: string) => void;
  onQuickLook: (id: string, ids: string[]) => void;
}

/** One column for each folder from the library to the open one. Left and right move between columns, as in the file manager of a Mac. */
export function FolderColumns(props: ColumnsProps) {
  const box = useRef<HTMLDivElement>(null);
  const columns = ancestors(props.path);
  // The last column is the one that was just opened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when another folder takes its place
  useEffect(() => {
    if (box.current) box.current.scrollLeft = box.current.scrollWidth * (document.dir === 'rtl' ? -1 : 1);
  }, [props.path]);
  const focusColumn = (index: number) => box.current?.querySelectorAll<HTMLElement>('[role="listbox"]')[index]?.focus();
  return (
    <div className={s.columns} ref={box}>
      {columns.map((folder, index) => (
        <Column
          key={folder}
          {...props}
          folder={folder}
          next={columns[index + 1]}
          onLeft={() => {
            if (index === 0) return;
            props.onShow(folder, '');
            focusColumn(index - 1);
          }}
          onRight={() => focusColumn(index + 1)}
        />
      ))}
    </div>
  );
}

type Entry = { kind: 'folder' | 'more'; key: string; name: string } | { kind: 'file'; key: string; name: string; file: FolderFile };

interface ColumnProps extends ColumnsProps {
  folder: string;
  /** The folder of the next column, which is an entry of this one. */
  next: string | undefined;
  onLeft: () => void;
  onRight: () => void;
}

function Column(props: ColumnProps) {
  const { library, name, folder, next, sort, selected, onShow, onMore, onOpen, onQuickLook, onLeft, onRight } = props;
  const { files, error, retry, loading, loadMore } = useFolderFiles(library, folder, sort);
  const { folders, total } = props.foldersOf(folder);
  const more = total - folders.length;
  const entries: Entry[] = [
    ...folders.map((one): Entry => ({ kind: 'folder', key: joinPath(folder, one.name), name: one.name })),
    ...(more > 0 ? [{ kind: 'more' as const, key: `${folder}/`, name: '' }] : []),
    ...files.map((file): Entry => ({ kind: 'file', key: file.id, name: file.filename, file })),
  ];
  const box = useRef<HTMLDivElement>(null);
  const current = entries.findIndex(({ key }) => key === (next ?? selected));
  const pick = (index: number) => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, index))];
    if (!entry) return;
    if (entry.kind === 'folder') onShow(entry.key, '');
    else if (entry.kind === 'file') onShow(folder, entry.key);
    else onMore(folder);
  };
  const { type, typing } = useTypeAhead(() => entries.map((entry) => entry.name), pick);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another entry is current
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  // Entering a column with the keyboard selects its first entry, as soon as there is one.
  const entering = useRef(false);
  const enter = () => {
    if (!entering.current || entries.length === 0) return;
    entering.current = false;
    if (current < 0) pick(0);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the entries are loaded
  useEffect(enter, [entries.length]);
  const keys = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const entry = entries[current];
    const arrow = inReadingDirection(event.key);
    if (event.key === 'ArrowDown') pick(current + 1);
    else if (event.key === 'ArrowUp') pick(current - 1);
    else if (event.key === 'Home') pick(0);
    else if (event.key === 'End') pick(entries.length - 1);
    else if (arrow === 'ArrowLeft') onLeft();
    else if (arrow === 'ArrowRight') {
      if (entry?.kind === 'folder') onRight();
    } else if (event.key === 'Enter') {
      if (entry?.kind === 'file') onOpen(entry.key);
      else if (entry) onRight();
    } else if (event.key === ' ' && !typing()) {
      if (entry?.kind !== 'file') return;
      onQuickLook(
        entry.key,
        files.map(({ id }) => id),
      );
    } else if (isTypedKey(event.key)) type(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  if (error && entries.length === 0) return <ErrorState error={error} retry={retry} />;
  return (
    <div
      ref={box}
      className={s.column}
      role="listbox"
      aria-label={folder === '' ? name : t('{name} in {folder}', { name: baseName(folder), folder: parentOf(folder) || name })}
      aria-activedescendant={current >= 0 ? `column-${folder}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={keys}
      onFocus={(event) => {
        entering.current = event.target === event.currentTarget && event.currentTarget.matches(':focus-visible');
        enter();
      }}
      onBlur={() => {
        entering.current = false;
      }}
      onScroll={({ currentTarget }) => {
        if (currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < 800) loadMore();
      }}
    >
      {entries.map((entry, index) => (
        <div
          key={entry.key}
          id={`column-${folder}-${index}`}
          className={s.entry}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          data-open={entry.key === next}
          onClick={() => pick(index)}
          onDoubleClick={() => entry.kind === 'file' && onOpen(entry.key)}
          onKeyDown={() => {}}
        >
          {entry.kind === 'file' ? <CategoryIcon category={entry.file.file_category} /> : <Folder size={16} aria-hidden />}
          {entry.kind === 'folder' && <bdi className="cut">{visibleName(entry.name)}</bdi>}
          {entry.kind === 'more' && <span className="cut">{t('Show more folders ({more} left)', { more })}</span>}
          {entry.kind === 'file' && <MiddleEllipsis name={entry.name} />}
          {entry.kind === 'folder' && <ChevronRight size={14} aria-hidden className={s.into} />}
        </div>
      ))}
      {entries.length === 0 && (
        <p className={s.empty}>{loading ? t('Loading the files of this folder…') : t('This folder has no files.')}</p>
      )}
    </div>
  );
}
