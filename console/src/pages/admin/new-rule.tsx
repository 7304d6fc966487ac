import { Autocomplete, MultiSelect, Select } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSearch } from 'wouter';
import { tree } from '../../api/catalog.ts';
import * as people from '../../api/people.ts';
import { Problem } from '../../api/problem.ts';
import type { Library } from '../../api/types.ts';
import { Form } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { joinPath, parentOf } from '../browse/tree-lines.ts';
import { ACTION_LABELS } from './labels.ts';

/** The people and groups that a rule can apply to. */
export function useSubjects() {
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups });
  return { users: users.data ?? [], groups: groups.data ?? [] };
}

export const actionOptions = Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label }));

/** The address of the form with a person chosen. */
export const ruleHref = (principalId: string): string => `#/admin/rules?who=${principalId}`;

/** Allows or denies several permissions in a folder; the API has one rule for each permission. */
export function NewRule({ libraries }: { libraries: Library[] }) {
  const client = useQueryClient();
  const { users, groups } = useSubjects();
  const who = new URLSearchParams(useSearch()).get('who');
  const [subject, setSubject] = useState<string | null>(who && `principal:${who}`);
  const [library, setLibrary] = useState<string | null>(null);
  const [path, setPath] = useState('');
  const [actions, setActions] = useState<string[]>(['search_metadata']);
  const [effect, setEffect] = useState<string | null>('allow');
  const create = async (): Promise<number> => {
    const [kind, id] = (subject ?? '').split(':') as ['principal' | 'group', string];
    let added = 0;
    let existing: Problem | null = null;
    try {
      for (const action of actions)
        try {
          await people.createGrant({
            subject_kind: kind,
            subject_id: id,
            library_id: library ?? '',
            rel_path: path.trim().replace(/^\/+|\/+$/g, ''),
            action,
            effect: effect as 'allow' | 'deny',
          });
          added += 1;
        } catch (error) {
          // Also one that an attempt before has added.
          if (!(error instanceof Problem) || error.code !== 'conflict') throw error;
          existing = error;
        }
    } finally {
      await client.invalidateQueries({ queryKey: ['grants'] });
    }
    if (added === 0 && existing) throw existing;
    return added;
  };
  return (
    <Card title={t('New rule')}>
      <Form
        layout="line"
        ready={subject !== null && library !== null && actions.length > 0}
        submit={
          <>
            <Plus size={16} aria-hidden />
            {t('Add rule')}
          </>
        }
        save={create}
        onSaved={(added) => toast(t('{n|Rule added|# rules added}', { n: added }))}
      >
        {(errorAt) => (
          <>
            <Select
              label={t('Who')}
              searchable
              value={subject}
              error={errorAt('subject_id')}
              onChange={setSubject}
              data={[
                { group: t('People'), items: users.map((u) => ({ value: `principal:${u.id}`, label: u.username })) },
                { group: t('Groups'), items: groups.map((g) => ({ value: `group:${g.id}`, label: g.name })) },
              ]}
            />
            <Select
              label={t('Effect')}
              allowDeselect={false}
              value={effect}
              onChange={setEffect}
              data={[
                { value: 'allow', label: t('Allow') },
                { value: 'deny', label: t('Deny') },
              ]}
            />
            <MultiSelect
              maxDropdownHeight={400}
              label={t('Permissions')}
              placeholder={actions.length === 0 ? t('Choose permissions') : ''}
              value={actions}
              error={errorAt('action')}
              onChange={setActions}
              data={actionOptions}
            />
            <Select
              label={t('Library')}
              value={library}
              error={errorAt('library_id')}
              onChange={(chosen) => {
                setLibrary(chosen);
                setPath('');
              }}
              data={libraries.map((l) => ({ value: l.id, label: l.name }))}
            />
            <FolderInput library={library} value={path} error={errorAt('rel_path')} onChange={setPath} />
          </>
        )}
      </Form>
    </Card>
  );
}

const SHOWN_FOLDERS = 100;

/** A folder of a library, typed or chosen level by level: a chosen folder offers its subfolders. */
function FolderInput(props: { library: string | null; value: string; error: string | undefined; onChange: (path: string) => void }) {
  const { library, value } = props;
  const foldersIn = (path: string) => ({
    queryKey: ['tree', library, path, 'folders'],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { folders } = await tree(library ?? '', path, { limit: SHOWN_FOLDERS }, signal);
      return folders.map(({ name }) => joinPath(path, name));
    },
    enabled: library !== null,
    staleTime: 60_000,
    retry: false,
  });
  const siblings = useQuery({ ...foldersIn(parentOf(value)), placeholderData: keepPreviousData }).data ?? [];
  const isFolder = siblings.includes(value);
  const inside = useQuery({ ...foldersIn(value), enabled: library !== null && isFolder }).data ?? [];
  const typed = value.toLowerCase();
  return (
    <Autocomplete
      label={t('Folder')}
      placeholder={t('Entire library')}
      disabled={library === null}
      value={value}
      error={props.error}
      onChange={props.onChange}
      data={isFolder ? [value, ...inside] : siblings.filter((folder) => folder.toLowerCase().startsWith(typed))}
      filter={({ options }) => options}
    />
  );
}
