import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import * as api from '../../api/search.ts';
import type { SavedParams, SavedSearch } from '../../api/types.ts';
import { changedOnly, FormDialog, NameField } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { type SearchState, toParams } from './search-state.ts';

interface SaveDialogProps {
  state: SearchState;
  /** Edits this saved search instead of creating one. */
  editing?: SavedSearch | undefined;
  onClose: () => void;
  onDone: (id: string) => void;
}

/** Saves the search under a name, or changes the name and sharing of a saved search. */
export default function SaveDialog({ state, editing, onClose, onDone }: SaveDialogProps) {
  const [name, setName] = useState(editing?.name ?? state.q.trim().slice(0, 60));
  const [shared, setShared] = useState(editing?.shared ?? false);
  return (
    <FormDialog
      title={editing ? t('Edit “{name}”', { name: editing.name }) : t('Save this search')}
      submit={editing ? t('Save changes') : t('Save search')}
      ready={name.trim() !== ''}
      save={() =>
        editing
          ? api.updateSavedSearch(editing.id, changedOnly(editing, { name: name.trim(), shared }))
          : api.createSavedSearch({ name: name.trim(), params: toParams(state) as SavedParams, ...(shared ? { shared } : {}) })
      }
      onSaved={(made) => {
        toast(t('Search “{name}” saved', { name: made.name }));
        onDone(made.id);
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          {!editing && <p className="t2">{t('Saves the words and filters. The results are updated each time you open it.')}</p>}
          <NameField value={name} onChange={setName} maxLength={200} error={errorAt('name')} />
          <Checkbox label={t('Share with everyone')} checked={shared} onChange={(e) => setShared(e.currentTarget.checked)} />
        </>
      )}
    </FormDialog>
  );
}
