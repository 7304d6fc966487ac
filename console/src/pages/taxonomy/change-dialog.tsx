import { Modal, Select, Textarea, TextInput } from '@mantine/core';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import type { TaxonomyCategory, TaxonomyGroup } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/status.tsx';
import { useTaxonomyEdit } from './use-taxonomy-edit.ts';

export type Changing = { kind: TaxonomyCategory } | { group: TaxonomyGroup; in: string };

/** The name and description of a kind or a group; a group can also move to another kind, or go. */
export function ChangeDialog({ what, tree, onClose }: { what: Changing; tree: TaxonomyCategory[]; onClose: () => void }) {
  const thing = 'kind' in what ? what.kind : what.group;
  const [label, setLabel] = useState(thing.label);
  const known = 'description' in thing && typeof thing.description === 'string' ? thing.description : '';
  const [description, setDescription] = useState(known);
  const [category, setCategory] = useState<string | null>('kind' in what ? null : what.in);
  const edit = useTaxonomyEdit();
  const save = () => {
    // What was not touched is not sent, so that nothing unseen is overwritten.
    const change = { label: label.trim(), ...(description.trim() !== known ? { description: description.trim() } : {}) };
    edit.mutate(
      {
        run: () =>
          'kind' in what
            ? catalog.updateCategory(thing.key, change)
            : catalog.updateGroup(thing.key, { ...change, ...(category && category !== what.in ? { category } : {}) }),
        done: `${change.label} changed`,
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Modal opened onClose={onClose} title={`Change ${thing.label}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          description={`Key: ${thing.key}. It stays.`}
          value={label}
          maxLength={128}
          onChange={(e) => setLabel(e.currentTarget.value)}
        />
        <Textarea
          label="In words"
          autosize
          minRows={2}
          maxLength={500}
          value={description}
          onChange={(e) => setDescription(e.currentTarget.value)}
        />
        {'group' in what && (
          <Select
            label="Kind"
            description={
              category !== what.in ? `${counted(what.group.extensions.length, 'extension')} move; files are classified again.` : undefined
            }
            allowDeselect={false}
            data={tree.map((one) => ({ value: one.key, label: one.label }))}
            value={category}
            onChange={setCategory}
          />
        )}
        {edit.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(edit.error)}
          </Note>
        )}
        <div className="row g2">
          {'group' in what && !what.group.is_builtin && (
            <Button
              size="l"
              variant="danger"
              disabled={edit.isPending}
              onClick={() =>
                edit.mutate({ run: () => catalog.deleteGroup(thing.key), done: `Group ${thing.label} removed` }, { onSuccess: onClose })
              }
            >
              Remove group with {counted(what.group.extensions.length, 'extension')}
            </Button>
          )}
          <span className="grow" />
          <Button type="submit" variant="primary" size="l" disabled={!label.trim() || edit.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Modal>
  );
}
