import { Modal, Select, TextInput } from '@mantine/core';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import type { TaxonomyCategory } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/status.tsx';
import { useTaxonomyEdit } from './use-taxonomy-edit.ts';

const keyFrom = (label: string): string =>
  label
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);

/** A new kind, or a new group in one. */
export function AddDialog({ what, tree, onClose }: { what: 'category' | 'group'; tree: TaxonomyCategory[]; onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [category, setCategory] = useState<string | null>(tree[0]?.key ?? null);
  const edit = useTaxonomyEdit();
  return (
    <Modal opened onClose={onClose} title={what === 'category' ? 'New kind' : 'New group'} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        className="col g4"
        onSubmit={(event) => {
          event.preventDefault();
          const key = keyFrom(label);
          edit.mutate(
            {
              run: () =>
                what === 'category'
                  ? catalog.createCategory({ key, label: label.trim() })
                  : catalog.createGroup({ key, label: label.trim(), category: category! }),
              done: `${label.trim()} added`,
            },
            { onSuccess: onClose },
          );
        }}
      >
        <TextInput
          data-autofocus
          label="Name"
          value={label}
          maxLength={128}
          description={label ? `Key: ${keyFrom(label)}` : undefined}
          onChange={(e) => setLabel(e.currentTarget.value)}
        />
        {what === 'group' && (
          <Select
            label="Kind"
            allowDeselect={false}
            data={tree.map((c) => ({ value: c.key, label: c.label }))}
            value={category}
            onChange={setCategory}
          />
        )}
        {edit.error && (
          <Note tone="danger" icon={CircleX} live>
            {sentence(edit.error)}
          </Note>
        )}
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button type="submit" variant="primary" size="l" disabled={!keyFrom(label) || edit.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Modal>
  );
}
