import { Checkbox, Modal, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark, CircleX, PencilLine } from 'lucide-react';
import { useState } from 'react';
import { sentence } from '../../api/problem.ts';
import * as api from '../../api/search.ts';
import type { SavedParams } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Note, StatusPill } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { EMPTY, fromSavedParams, sameQuestion, type SearchState, toParams } from './search-state.ts';

/** At the end of the chips: save this search, or update and revert the saved one it started from. */
export function SavedSearchControl({ state, onChange }: { state: SearchState; onChange: (state: SearchState) => void }) {
  const client = useQueryClient();
  const saved = useQuery({ queryKey: ['saved-searches'], queryFn: api.savedSearches, staleTime: 30_000 });
  const [asking, setAsking] = useState(false);
  const current = saved.data?.find((one) => one.id === state.saved);
  const refresh = () => client.invalidateQueries({ queryKey: ['saved-searches'] });
  const update = useMutation({
    mutationFn: () => api.updateSavedSearch(current!.id, { params: toParams(state) as SavedParams }),
    onSuccess: async () => {
      await refresh();
      toast(`Search “${current!.name}” updated`);
    },
  });
  const drop = useMutation({
    mutationFn: () => api.deleteSavedSearch(current!.id),
    onSuccess: async () => {
      const { name, params } = current!;
      onChange({ ...state, saved: '' });
      await refresh();
      toast(`Saved search “${name}” removed`, () => void api.createSavedSearch({ name, params: params as SavedParams }).then(refresh));
    },
  });

  if (current) {
    const stored = { ...EMPTY, ...fromSavedParams(current.params), lens: state.lens, item: state.item, saved: current.id };
    const modified = !sameQuestion(stored, state);
    return (
      <span className="row g2">
        <span className="m5 cut">{current.name}</span>
        {!current.may_edit ? (
          <span className="muted meta">by {current.owner_name}</span>
        ) : modified ? (
          <>
            <StatusPill tone="warn" icon={PencilLine}>
              modified
            </StatusPill>
            <Button size="s" onClick={() => update.mutate()} disabled={update.isPending}>
              Update
            </Button>
            <Button size="s" variant="ghost" onClick={() => onChange(stored)}>
              Revert
            </Button>
          </>
        ) : (
          <Button size="s" variant="ghost" onClick={() => drop.mutate()} disabled={drop.isPending}>
            Remove saved search
          </Button>
        )}
      </span>
    );
  }
  return (
    <>
      <Button variant="ghost" size="s" className="sm-hide" onClick={() => setAsking(true)}>
        <Bookmark size={16} aria-hidden />
        Save search
      </Button>
      <Modal opened={asking} onClose={() => setAsking(false)} title="Save this search" closeButtonProps={{ 'aria-label': 'Close' }}>
        <SaveForm
          state={state}
          onDone={(id) => {
            setAsking(false);
            void refresh();
            onChange({ ...state, saved: id });
          }}
        />
      </Modal>
    </>
  );
}

function SaveForm({ state, onDone }: { state: SearchState; onDone: (id: string) => void }) {
  const [name, setName] = useState(state.q.trim().slice(0, 60));
  const [shared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () => api.createSavedSearch({ name: name.trim(), params: toParams(state) as SavedParams, ...(shared ? { shared } : {}) }),
    onSuccess: (made) => {
      toast(`Search “${made.name}” saved`);
      onDone(made.id);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="t2">The words and filters are kept, not the results: the search is fresh each time.</p>
      <TextInput mt={16} data-autofocus label="Name" value={name} maxLength={200} onChange={(e) => setName(e.currentTarget.value)} />
      <Checkbox
        mt={12}
        label="Show it to everybody who uses this catalog"
        checked={shared}
        onChange={(e) => setShared(e.currentTarget.checked)}
      />
      {save.error && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX} live>
            {sentence(save.error)}
          </Note>
        </div>
      )}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 24 }}>
        <Button type="submit" variant="primary" size="l" disabled={!name.trim() || save.isPending}>
          Save search
        </Button>
      </div>
    </form>
  );
}
