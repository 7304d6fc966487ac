import { TextInput } from '@mantine/core';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Folder, FolderOpen, Lock, Search } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { readableFolders } from '../../api/permissions.ts';
import type { ReadableFolder, ReadableFolders } from '../../api/types.ts';
import { Card } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { baseName, visibleName } from '../../format/paths.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import s from './permissions.module.css';
import { endOfDay, type Subject } from './subject.ts';

type Shown = 'all' | 'can' | 'cannot';
interface TreeProps {
  subject: Subject;
  top: UseQueryResult<ReadableFolders>;
  selected: ReadableFolder | null;
  onSelect: (row: ReadableFolder) => void;
}
interface TreeRow {
  row: ReadableFolder;
  depth: number;
  key: string;
  open: boolean;
  mayOpen: boolean;
  /** The row is open and its folders are being counted. */
  counting: boolean;
}

const keyOf = ({ library_id, folder, own_files }: ReadableFolder): string => `${library_id} ${folder}${own_files ? ' /' : ''}`;
const nameOf = (row: ReadableFolder): string =>
  row.own_files ? t('Files directly here') : row.folder === '' ? row.library : visibleName(baseName(row.folder));

/** Libraries and folders with the number of files. Left and Right close and open, Enter explains, / finds. */
export function FolderTree({ subject, top, selected, onSelect }: TreeProps) {
  const { principal, right, on } = subject;
  const [shown, setShown] = useState<Shown>('all');
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState<readonly ReadableFolder[]>([]);
  const [focused, setFocused] = useState('');
  const find = useRef<HTMLInputElement>(null);
  const table = useRef<HTMLTableElement>(null);
  useKeys({ '/': () => find.current?.focus() });
  const levels = useQueries({
    queries: open.map((row) => ({
      queryKey: ['readable-folders', subject, row.library_id, row.folder],
      queryFn: () => readableFolders({ principal, right, library_id: row.library_id, parent: row.folder, ...endOfDay(on) }),
    })),
  });
  const rows = visibleRows(top.data?.children ?? [], open, levels, shown, typed.trim().toLowerCase());
  const truncated = top.data?.truncated || levels.some(({ data }) => data?.truncated);
  const toggle = ({ row, key, open: isOpen }: TreeRow) =>
    setOpen((all) => (isOpen ? all.filter((each) => keyOf(each) !== key) : [...all, row]));
  const focus = (key: string | undefined) => {
    if (key === undefined) return;
    setFocused(key);
    table.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const each = rows[at];
    if (!each || event.ctrlKey || event.metaKey || event.altKey) return;
    const parent = rows.slice(0, at).findLast(({ depth }) => depth < each.depth);
    if (event.key === 'ArrowDown') focus(rows[at + 1]?.key);
    else if (event.key === 'ArrowUp') focus(rows[at - 1]?.key);
    else if (event.key === 'ArrowRight') each.mayOpen && !each.open ? toggle(each) : each.open && focus(rows[at + 1]?.key);
    else if (event.key === 'ArrowLeft') each.open ? toggle(each) : focus(parent?.key);
    else if (event.key === 'Enter') onSelect(each.row);
    else return;
    event.preventDefault();
  };
  return (
    <Card
      className={s.folders}
      title={t('Folders')}
      aside={
        <>
          <TextInput
            ref={find}
            size="xs"
            type="search"
            aria-label={t('Find a folder')}
            placeholder={t('Find a folder')}
            leftSection={<Search size={14} aria-hidden />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Segmented
            label={t('Folders to show')}
            value={shown}
            options={[
              { value: 'all', label: t('All') },
              { value: 'can', label: right === 'read' ? t('Can read') : t('Can change') },
              { value: 'cannot', label: t('Cannot') },
            ]}
            onChange={setShown}
          />
        </>
      }
    >
      {top.error ? (
        <ErrorState error={top.error} retry={() => void top.refetch()} />
      ) : !top.data ? (
        <Loading what={t('files')} />
      ) : top.data.children.length === 0 ? (
        <EmptyState title={t('Nothing to show')}>{t('No permissions are recorded in folders whose permissions you may see.')}</EmptyState>
      ) : (
        <div className={s.scroll}>
          <table className={s.tree} role="treegrid" aria-label={t('Folders')} ref={table}>
            <thead>
              <tr>
                <th scope="col">{t('Folder')}</th>
                <th scope="col" className={s.number}>
                  {right === 'read' ? t('Can read') : t('Can change')}
                </th>
                <th scope="col" aria-label={t('Share')} />
                <th scope="col">{t('Why')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((each, at) => (
                <FolderRow
                  key={each.key}
                  each={each}
                  tabbable={rows.some(({ key }) => key === focused) ? each.key === focused : at === 0}
                  selected={selected !== null && keyOf(selected) === each.key}
                  onToggle={() => toggle(each)}
                  onSelect={() => onSelect(each.row)}
                  onFocus={() => setFocused(each.key)}
                  onKeyDown={(event) => onKeyDown(event, at)}
                />
              ))}
            </tbody>
          </table>
          {rows.length === 0 && <p className="muted">{t('No open folder has this name. Open more folders to look inside them.')}</p>}
          {truncated && <p className="muted">{t('Not all folders are shown.')}</p>}
        </div>
      )}
    </Card>
  );
}

type Level = UseQueryResult<ReadableFolders>;

/** The rows of the tree from top to bottom. A folder that was searched for is shown with the folders above it. */
function visibleRows(
  top: readonly ReadableFolder[],
  open: readonly ReadableFolder[],
  levels: readonly Level[],
  shown: Shown,
  text: string,
): TreeRow[] {
  const visit = (row: ReadableFolder, depth: number): TreeRow[] => {
    const key = keyOf(row);
    const at = open.findIndex((each) => keyOf(each) === key);
    const level = levels[at];
    const below = (level?.data?.children ?? []).flatMap((child) => visit(child, depth + 1));
    const fits = shown === 'can' ? row.allowed > 0 : shown !== 'cannot' || row.allowed < row.files;
    const matches = text === '' || nameOf(row).toLowerCase().includes(text);
    if (!fits || (!matches && below.length === 0)) return [];
    const mayOpen = !row.own_files && (row.has_children || depth === 0);
    return [{ row, depth, key, open: at >= 0, mayOpen, counting: level?.isPending ?? false }, ...below];
  };
  return top.flatMap((row) => visit(row, 0));
}

interface FolderRowProps {
  each: TreeRow;
  tabbable: boolean;
  selected: boolean;
  onToggle: () => void;
  onSelect: () => void;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

function FolderRow({ each, tabbable, selected, onToggle, onSelect, onFocus, onKeyDown }: FolderRowProps) {
  const { row, depth, open, mayOpen, counting } = each;
  const name = nameOf(row);
  const closed = row.allowed === 0;
  const Icon = closed ? Lock : open ? FolderOpen : Folder;
  return (
    <tr
      data-key={each.key}
      data-closed={closed}
      data-selected={selected}
      aria-level={depth + 1}
      aria-selected={selected}
      {...(mayOpen && { 'aria-expanded': open })}
      tabIndex={tabbable ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={onSelect}
    >
      <td>
        <span className={s.name} style={{ paddingInlineStart: depth * 20 }}>
          {mayOpen ? (
            <button
              type="button"
              tabIndex={-1}
              className={s.toggle}
              aria-label={t('Folders in {name}', { name })}
              onClick={(event) => {
                event.stopPropagation();
                onToggle();
              }}
            >
              {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
            </button>
          ) : (
            <span className={s.toggle} />
          )}
          <Icon size={16} aria-hidden />
          <bdi>{name}</bdi>
          {counting && <span className="meta muted">{t('counting')}</span>}
        </span>
      </td>
      <td className={s.number}>
        {closed ? (
          t('none of {files}', { files: row.files })
        ) : row.allowed === row.files ? (
          <b>{t('all {files}', { files: row.files })}</b>
        ) : (
          rich('<b>{allowed}</b> of {files}', { allowed: row.allowed, files: row.files, b: (text) => <b>{text}</b> })
        )}
      </td>
      <td className={s.share}>
        <span className={s.bar}>
          <span style={{ width: `${row.files === 0 ? 0 : (100 * row.allowed) / row.files}%` }} />
        </span>
      </td>
      <td>{row.own_files ? '' : serverText(row.why)}</td>
    </tr>
  );
}
