import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, CircleCheck, CircleMinus, Folder, FolderOpen, Lock, Users } from 'lucide-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { readableFolders, searchPrincipals } from '../../api/permissions.ts';
import type { ReadableFolder } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { baseName, visibleName } from '../../format/paths.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import s from './permissions.module.css';

type Right = 'read' | 'write';
type Shown = 'all' | 'can' | 'cannot';

/** What a person or group can read on disk: folders with counts and the reason. */
export default function PersonPage() {
  const params = new URLSearchParams(useSearch());
  const principal = params.get('principal') ?? '';
  const right: Right = params.get('right') === 'write' ? 'write' : 'read';
  const top = useQuery({
    queryKey: ['readable-folders', principal, right],
    queryFn: () => readableFolders({ principal, right }),
    enabled: principal !== '',
    retry: false,
  });
  const [shown, setShown] = useState<Shown>('all');
  // A folder stays selected only while the page is about the same person and right.
  const subject = `${principal} ${right}`;
  const [selection, setSelection] = useState<{ row: ReadableFolder; subject: string } | null>(null);
  const selected = selection?.subject === subject ? selection.row : null;
  const go = (next: { principal?: string; right?: Right }) =>
    navigate(`/reports/access?${new URLSearchParams({ principal: next.principal ?? principal, right: next.right ?? right })}`);
  const name = top.data?.principal.name ?? principal;
  const groups = top.data?.groups ?? [];
  return (
    <Page
      title={
        principal === ''
          ? t('Who can read what')
          : right === 'read'
            ? t('What can {name} read?', { name })
            : t('What can {name} change?', { name })
      }
      lead={
        top.data
          ? groups.length
            ? t('{allowed} of {files|# file|# files} on disk, also through {groups|# group|# groups}', {
                allowed: top.data.allowed,
                files: top.data.files,
                groups: groups.length,
              })
            : t('{allowed} of {files|# file|# files} on disk', { allowed: top.data.allowed, files: top.data.files })
          : t('Choose a person or group to see which files they can open on disk.')
      }
      actions={
        <Segmented
          label={t('Kind of access')}
          value={right}
          options={[
            { value: 'read', label: t('Read') },
            { value: 'write', label: t('Change') },
          ]}
          onChange={(value) => go({ right: value })}
        />
      }
    >
      <div className={s.cards}>
        <Card>
          <PersonPicker key={principal} principal={principal} onChoose={(value) => go({ principal: value })} />
          {groups.length > 0 && (
            <p className={s.groups}>
              <span className="muted">{t('Groups')}</span>
              {groups.map((group) => (
                <TextLink key={group.id} className={s.token} href={`#/reports/access?principal=${encodeURIComponent(group.id)}`}>
                  <Users size={12} aria-hidden />
                  {group.name ?? group.id}
                </TextLink>
              ))}
            </p>
          )}
          {principal !== '' && (
            <p className={s.groups}>
              <TextLink href={`#/?principal=${encodeURIComponent(principal)}`}>{t('Search these files')}</TextLink>
              <TextLink href={`#/reports/permissions_past_access?principal=${encodeURIComponent(principal)}`}>
                {t('On a past date')}
              </TextLink>
              <TextLink href={`#/reports/permissions_difference?principal=${encodeURIComponent(principal)}&other_principal=everyone`}>
                {t('Compare with somebody')}
              </TextLink>
            </p>
          )}
        </Card>
        <div className={s.pair}>
          {principal !== '' && (
            <Card
              title={t('Folders')}
              aside={
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
              }
            >
              {top.error ? (
                <ErrorState error={top.error} retry={() => void top.refetch()} />
              ) : !top.data ? (
                <Loading what={t('files')} />
              ) : top.data.children.length === 0 ? (
                <EmptyState title={t('Nothing to show')}>
                  {t('No permissions are recorded in folders whose permissions you may see.')}
                </EmptyState>
              ) : (
                <div className={s.scroll}>
                  <table className={s.tree}>
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
                      {top.data.children.map((row) => (
                        <FolderRows
                          key={row.library_id}
                          {...{ row, depth: 0, principal, right, shown, selected }}
                          onSelect={(chosen) => setSelection({ row: chosen, subject })}
                        />
                      ))}
                    </tbody>
                  </table>
                  {top.data.truncated && <p className="muted">{t('Not all libraries are shown.')}</p>}
                </div>
              )}
            </Card>
          )}
          {selected && <FolderReason row={selected} {...{ principal, name, right }} />}
        </div>
      </div>
    </Page>
  );
}

function canWords(name: string, right: Right, { allowed, files: n }: ReadableFolder): string {
  const values = { name, allowed, n };
  if (right === 'read') {
    if (allowed === 0) return t('{name} can read none of {n|# file|# files}', values);
    return allowed === n
      ? t('{name} can read all {n|# file|# files}', values)
      : t('{name} can read {allowed} of {n|# file|# files}', values);
  }
  if (allowed === 0) return t('{name} can change none of {n|# file|# files}', values);
  return allowed === n
    ? t('{name} can change all {n|# file|# files}', values)
    : t('{name} can change {allowed} of {n|# file|# files}', values);
}

/** Why somebody can or cannot use the files of the selected folder. */
function FolderReason({ row, principal, name, right }: { row: ReadableFolder; principal: string; name: string; right: Right }) {
  const search = new URLSearchParams({ principal, library: row.library_id, ...(row.folder ? { path: row.folder } : {}) });
  return (
    <Card title={visibleName([row.library, row.folder].filter(Boolean).join('/'))}>
      <StatusText tone={row.allowed === 0 ? 'idle' : 'ok'} icon={row.allowed === 0 ? CircleMinus : CircleCheck}>
        {canWords(name, right, row)}
      </StatusText>
      {row.why && <p className={s.groups}>{t('Decided by: {why}', { why: row.why })}</p>}
      {right === 'read' && row.allowed > 0 && (
        <p className={s.groups}>
          <TextLink href={`#/?${search}`}>{t('Search these files')}</TextLink>
        </p>
      )}
    </Card>
  );
}

function PersonPicker({ principal, onChoose }: { principal: string; onChoose: (value: string) => void }) {
  const [text, setText] = useState(principal);
  const known = useQuery({ queryKey: ['principals', text], queryFn: () => searchPrincipals(text), staleTime: 30_000 });
  return (
    <form
      className={s.picker}
      onSubmit={(e) => {
        e.preventDefault();
        if (text.trim()) onChoose(text.trim());
      }}
    >
      <Autocomplete
        label={t('Person or group')}
        placeholder={t('Name, uid:1000, gid:100, SID or everyone')}
        value={text}
        data={(known.data ?? []).map(({ value }) => value)}
        filter={({ options }) => options}
        onChange={setText}
        onOptionSubmit={onChoose}
      />
      <Button type="submit">{t('Show')}</Button>
    </form>
  );
}

interface FolderRowsProps {
  row: ReadableFolder;
  depth: number;
  principal: string;
  right: Right;
  shown: Shown;
  selected: ReadableFolder | null;
  onSelect: (row: ReadableFolder) => void;
}

function FolderRows({ row, depth, principal, right, shown, selected, onSelect }: FolderRowsProps) {
  const [open, setOpen] = useState(false);
  const level = useQuery({
    queryKey: ['readable-folders', principal, right, row.library_id, row.folder],
    queryFn: () => readableFolders({ principal, right, library_id: row.library_id, parent: row.folder }),
    enabled: open,
  });
  const name = row.own_files ? t('Files directly here') : row.folder === '' ? row.library : visibleName(baseName(row.folder));
  const closed = row.allowed === 0;
  const mayOpen = !row.own_files && (row.has_children || depth === 0);
  const Icon = closed ? Lock : open ? FolderOpen : Folder;
  if (shown === 'can' ? closed : shown === 'cannot' && row.allowed === row.files) return null;
  return (
    <>
      <tr data-closed={closed} data-selected={selected === row}>
        <td>
          <span className={s.name} style={{ paddingInlineStart: depth * 20 }}>
            {mayOpen ? (
              <button
                type="button"
                className={s.toggle}
                aria-expanded={open}
                aria-label={t('Folders in {name}', { name })}
                onClick={() => setOpen(!open)}
              >
                {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
              </button>
            ) : (
              <span className={s.toggle} />
            )}
            <Icon size={16} aria-hidden />
            <button type="button" className={s.select} aria-pressed={selected === row} onClick={() => onSelect(row)}>
              <bdi>{name}</bdi>
            </button>
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
        <td>{row.own_files ? '' : row.why}</td>
      </tr>
      {open && level.isPending && (
        <tr>
          <td colSpan={4} className="muted" style={{ paddingInlineStart: 24 + depth * 20 }}>
            {t('Counting…')}
          </td>
        </tr>
      )}
      {open &&
        level.data?.children.map((child) => (
          <FolderRows
            key={`${child.folder} ${child.own_files}`}
            {...{ row: child, depth: depth + 1, principal, right, shown, selected, onSelect }}
          />
        ))}
      {open && level.data?.truncated && (
        <tr>
          <td colSpan={4} className="muted" style={{ paddingInlineStart: 24 + depth * 20 }}>
            {t('Not all folders are shown.')}
          </td>
        </tr>
      )}
    </>
  );
}
