import { useQuery } from '@tanstack/react-query';
import * as people from '../../api/people.ts';
import { ACTION_WORDS } from './words.ts';

/** Everybody a rule can be about. */
export function useSubjects() {
  const users = useQuery({ queryKey: ['users'], queryFn: people.users });
  const groups = useQuery({ queryKey: ['groups'], queryFn: people.groups });
  return { users: users.data ?? [], groups: groups.data ?? [] };
}

export const actionChoices = Object.entries(ACTION_WORDS).map(([value, label]) => ({ value, label }));
