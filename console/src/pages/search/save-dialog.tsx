import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import * as api from '../../api/search.ts';
import type { SavedParams, SavedSearch } from '../../api/types.ts';
import { FormDialog } from '../../parts/form.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { toast } from '../../parts/toast.tsx';
import { type SearchState, toParams } from './search-state.ts';

interface SaveDialogProps {
  state: SearchState;
  /** The saved search whose name is changed; without it a new one is made. */
  editing?: SavedSearch | undefined;
  onClose: () => void;
  onDone: (id: string) => void;
}

export function SaveDialog({ state, editing, onClose, onDone }: SaveDialogProps) {
  const [name, setName] = useState(editing?.name ?? state.q.trim().slice(0, 60));
  const [shared, setShared] = useState(editing?.shared ?? false);
  return (
    <FormDialog
      title={editing ? `Change “${editing.name}”` : 'Save this search'}
      submit={editing ? 'Save changes' : 'Save search'}
      ready={name.trim() !== ''}
      save={() =>
        editing
          ? api.updateSavedSearch(editing.id, { name: name.trim(), shared })
          : api.createSavedSearch({ name: name.trim(), params: toParams(state) as SavedParams, ...(shared ? { shared } : {}) })
      }
      onSaved={(made) => {
        toast(`Search “${made.name}” saved`);
        onDone(made.id);
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          {!editing && <p className="t2">The words and filters are kept, not the results: the search is fresh each time.</p>}
          <NameField value={name} onChange={setName} maxLength={200} error={errorAt('name')} />
          <Checkbox
            label="Show it to everybody who uses this catalog"
            checked={shared}
            onChange={(e) => setShared(e.currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
