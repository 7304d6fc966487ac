import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, ChevronDown, PencilLine, Users } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import * as api from '../../api/search.ts';
import type { SavedParams, SavedSearch } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { LazyMenu } from '../../components/lazy-menu.tsx';
import type { MenuParts } from '../../components/loaded-menu.tsx';
import { usePreload } from '../../components/page.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import s from './saved-search.module.css';
import { EMPTY_SEARCH, fromSavedParams, type SearchState, sameQuery, toParams } from './search-state.ts';

const loadSaveDialog = () => import('./save-dialog.tsx');
const SaveDialog = lazy(loadSaveDialog);

interface SavedSearchProps {
  state: SearchState;
  onChange: (state: SearchState) => void;
}

/** Saves this search, or updates the saved search it started from. */
export function SavedSearchControl({ state, onChange }: SavedSearchProps) {
  const client = useQueryClient();
  const saved = useQuery({ queryKey: ['saved-searches'], queryFn: api.savedSearches, staleTime: 30_000 });
  usePreload(loadSaveDialog);
  const [dialog, setDialog] = useState<SavedSearch | 'new' | null>(null);
  const current = saved.data?.find((one) => one.id === state.saved);
  const refresh = () => client.invalidateQueries({ queryKey: ['saved-searches'] });
  const failed = (error: unknown) => toast(t('Could not save. {errorMessage}', { errorMessage: errorMessage(error) }));
  const update = useMutation({
    mutationFn: (one: SavedSearch) => api.updateSavedSearch(one.id, { params: toParams(state) as SavedParams }),
    onSuccess: async (_now, before) => {
      await refresh();
      toast(t('Search “{name}” updated', { name: before.name }), () =>
        api.updateSavedSearch(before.id, { params: before.params as SavedParams }).then(refresh),
      );
    },
    onError: failed,
  });
  const drop = useMutation({
    mutationFn: (one: SavedSearch) => api.deleteSavedSearch(one.id),
    onSuccess: async (_done, { name, params, shared }) => {
      onChange({ ...state, saved: '' });
      await refresh();
      toast(t('Saved search “{name}” deleted', { name }), () =>
        api.createSavedSearch({ name, params: params as SavedParams, ...(shared ? { shared } : {}) }).then(refresh),
      );
    },
    onError: (error) => toast(t('Could not delete “{name}”. {errorMessage}', { name: current?.name, errorMessage: errorMessage(error) })),
  });
  const stored = (one: SavedSearch): SearchState => ({
    ...EMPTY_SEARCH,
    ...fromSavedParams(one.params),
    viewMode: state.viewMode,
    item: state.item,
    saved: one.id,
  });

  const modified = current !== undefined && !sameQuery(stored(current), state);
  return (
    <span className="row g2">
      {current ? (
        <>
          <LazyMenu
            position="bottom-end"
            target={
              <Button size="s" variant="ghost" className={s.name}>
                <span className="m5 cut">
                  <span className="visually-hidden">{t('Saved search')} </span>
                  <bdi>{current.name}</bdi>
                </span>
                <ChevronDown size={14} aria-hidden />
              </Button>
            }
          >
            {(Menu) => (
              <>
                <Others Menu={Menu} saved={saved.data ?? []} current={current.id} onOpen={(one) => onChange(stored(one))} />
                {current.may_edit && <Menu.Item onClick={() => setDialog(current)}>{t('Rename or share…')}</Menu.Item>}
                <Menu.Item onClick={() => setDialog('new')}>{t('Save as new…')}</Menu.Item>
                <Menu.Item onClick={() => onChange({ ...state, saved: '' })}>{t('Close saved search')}</Menu.Item>
                {current.may_edit && (
                  <Menu.Item color="var(--danger)" onClick={() => drop.mutate(current)}>
                    {t('Delete saved search')}
                  </Menu.Item>
                )}
              </>
            )}
          </LazyMenu>
          {!current.may_edit && <span className="muted meta nw">{t('by {owner_name}', { owner_name: current.owner_name })}</span>}
          {modified && (
            <>
              <StatusPill tone="warn" icon={PencilLine}>
                {t('Modified')}
              </StatusPill>
              {current.may_edit && (
                <Button size="s" onClick={() => update.mutate(current)} disabled={update.isPending}>
                  {t('Update')}
                </Button>
              )}
              <Button size="s" variant="ghost" onClick={() => onChange(stored(current))}>
                {t('Revert')}
              </Button>
            </>
          )}
        </>
      ) : (
        <>
          {(saved.data?.length ?? 0) > 0 && (
            <LazyMenu
              position="bottom-end"
              target={
                <Button size="s" variant="ghost" className="sm-hide">
                  {t('Saved searches')}
                  <ChevronDown size={14} aria-hidden />
                </Button>
              }
            >
              {(Menu) => (
                <>
                  <Others Menu={Menu} saved={saved.data ?? []} current="" onOpen={(one) => onChange(stored(one))} />
                </>
              )}
            </LazyMenu>
          )}
          <Button variant="ghost" size="s" className="sm-hide" onClick={() => setDialog('new')}>
            <Bookmark size={16} aria-hidden />
            {t('Save search')}
          </Button>
        </>
      )}
      {dialog && (
        <Suspense>
          <SaveDialog
            state={state}
            editing={dialog === 'new' ? undefined : dialog}
            onClose={() => setDialog(null)}
            onDone={(id) => {
              void refresh();
              onChange({ ...state, saved: id });
            }}
          />
        </Suspense>
      )}
    </span>
  );
}

interface OthersProps {
  Menu: MenuParts;
  saved: SavedSearch[];
  current: string;
  onOpen: (one: SavedSearch) => void;
}

function Others({ Menu, saved, current, onOpen }: OthersProps) {
  const others = saved.filter((one) => one.id !== current);
  if (others.length === 0) return null;
  return (
    <>
      <div className={s.list}>
        {others.map((one) => (
          <Menu.Item
            key={one.id}
            rightSection={one.shared ? <Users size={14} role="img" aria-label={t('Shared')} /> : undefined}
            onClick={() => onOpen(one)}
          >
            <bdi>{one.name}</bdi>
          </Menu.Item>
        ))}
      </div>
      {current && <Menu.Divider />}
    </>
  );
}
