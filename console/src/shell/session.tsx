import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect } from 'react';
import * as people from '../api/people.ts';
import { Problem } from '../api/problem.ts';
import { setSessionActive, waitForSignIn } from '../api/session-ended.ts';
import type { AuthStatus, Principal } from '../api/types.ts';
import { clearDrafts } from './drafts.ts';

export interface SessionState {
  status: AuthStatus;
  /** Null when sign-in is disabled. */
  me: Principal | null;
  can: (scope: 'read' | 'write' | 'admin') => boolean;
  /** May download files somewhere. Exports need it. */
  mayDownload: boolean;
  /** A schedule exports with the rights of its owner. */
  maySchedule: boolean;
}

const SessionContext = createContext<SessionState | null>(null);

export function useSession(): SessionState {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession outside the shell');
  return session;
}

export function SessionProvider({ value, children }: { value: SessionState; children: ReactNode }) {
  useEffect(() => {
    setSessionActive(value.status.mode === 'enabled');
    return () => setSessionActive(false);
  }, [value.status.mode]);
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** Why the session of this browser is over, where its time was up. */
export interface EndedSession {
  reason: string;
  hours: number;
}

type Entry =
  | { kind: 'loading' }
  | { kind: 'failed'; error: unknown; retry: () => void }
  | { kind: 'bootstrap' }
  | { kind: 'login'; status: AuthStatus; ended: EndedSession | null }
  | { kind: 'in'; session: SessionState };

const RANK = { read: 1, write: 2, admin: 3 } as const;

function rankOf(me: Principal | null): number {
  if (!me) return RANK.admin;
  const named = (me.scopes ?? []).map((s) => RANK[s as keyof typeof RANK] ?? 0);
  const byRole = me.global_role === 'admin' ? RANK.admin : me.global_role === 'user' ? RANK.write : RANK.read;
  return named.length ? Math.max(...named) : byRole;
}

/** Decides between setup, sign-in and console. If the server cannot be asked, the console is not shown. */
export function useEntry(): Entry {
  const status = useQuery({ queryKey: ['auth', 'status'], queryFn: people.authStatus, staleTime: 60_000 });
  const needsMe = status.data?.mode === 'enabled';
  const me = useQuery({
    queryKey: ['auth', 'me'],
    queryFn: async () => {
      try {
        return await people.me();
      } catch (error) {
        if (!(error instanceof Problem && error.status === 401)) throw error;
        // In an open console, the page with its unsaved input stays until the person has signed in again.
        if (await waitForSignIn()) return people.me();
        return { ended: (error.body['ended'] as EndedSession | undefined) ?? null };
      }
    },
    enabled: needsMe,
    staleTime: 60_000,
  });
  const client = useQueryClient();
  const retry = () => void client.invalidateQueries({ queryKey: ['auth'] });

  if (status.error && !status.data) return { kind: 'failed', error: status.error, retry };
  if (!status.data) return { kind: 'loading' };
  if (status.data.mode === 'bootstrap') return { kind: 'bootstrap' };
  if (status.data.mode === 'disabled')
    return { kind: 'in', session: { status: status.data, me: null, can: () => true, mayDownload: true, maySchedule: true } };
  if (me.error && !me.data) return { kind: 'failed', error: me.error, retry };
  if (me.data === undefined) return { kind: 'loading' };
  if ('ended' in me.data) return { kind: 'login', status: status.data, ended: me.data.ended };
  const account = me.data;
  const rank = rankOf(account);
  const mayDownload = account.actions?.includes('download') ?? true;
  const maySchedule = mayDownload && rank >= RANK.write;
  return { kind: 'in', session: { status: status.data, me: account, can: (scope) => rank >= RANK[scope], mayDownload, maySchedule } };
}

/** Ends the session on the server, then reloads the page so that no response stays in memory. */
export async function signOut(): Promise<void> {
  // Read before the session ends: the page that also ends the session at the provider.
  const providerPage = await people.providerLogoutUrl().catch(() => null);
  await people.logout();
  clearDrafts();
  if ('caches' in window) for (const key of await caches.keys()) if (!key.includes('precache')) await caches.delete(key);
  if (providerPage) {
    location.assign(providerPage);
    return;
  }
  location.hash = '#/';
  location.reload();
}
