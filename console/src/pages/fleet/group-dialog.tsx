import { Modal, MultiSelect, NumberInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupPolicy } from '../../api/fleet.ts';
import * as fleet from '../../api/fleet.ts';
import type { ConfigGroup } from '../../api/types.ts';
import { changedOnly, Form, NameField } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { useCloseHere } from '../../components/use-on-page.ts';
import { t } from '../../language/text.ts';
import { GroupReview } from './group-review.tsx';
import { LabelsInput } from './labels-input.tsx';
import { PolicyFields } from './policy-fields.tsx';

const platforms = [
  { value: 'windows', label: 'Windows' },
  { value: 'macos', label: 'macOS' },
  { value: 'linux', label: 'Linux' },
];

/** Creates a group, or edits one: its settings first, then what the change would do. */
export function GroupDialog({ group, ...props }: { group: ConfigGroup | null; onClose: () => void }) {
  const onClose = useCloseHere(props.onClose);
  const client = useQueryClient();
  const [name, setName] = useState(group?.name ?? '');
  const [description, setDescription] = useState(group?.description ?? '');
  const [priority, setPriority] = useState(group?.priority ?? 100);
  const [target, setTarget] = useState(group?.target ?? { platforms: [], labels: [] });
  const [policy, setPolicy] = useState<GroupPolicy>(group?.policy ?? {});
  const [reviewing, setReviewing] = useState(false);
  const fixed = group?.is_system ?? false;
  const fields = { description: description.trim() || null, policy, ...(!fixed && { name: name.trim(), priority, target }) };
  const saved = async () => {
    toast(group ? t('Group changed') : t('Group created'));
    onClose();
    await client.invalidateQueries({ queryKey: ['agents'] });
  };
  const title = group
    ? reviewing
      ? t('Review changes of {name}', { name: group.name })
      : t('Edit {name}', { name: group.name })
    : t('New group');
  return (
    <Modal opened onClose={onClose} title={title} size={640} closeButtonProps={{ 'aria-label': t('Close') }} closeOnClickOutside={false}>
      {reviewing && group ? (
        <GroupReview
          group={group}
          policy={policy}
          otherChanges={
            name !== group.name ||
            priority !== group.priority ||
            description !== (group.description ?? '') ||
            JSON.stringify(target) !== JSON.stringify(group.target)
          }
          save={(options) => fleet.changeGroup(group.id, { ...changedOnly(group, fields), ...options })}
          onSaved={saved}
          onBack={() => setReviewing(false)}
        />
      ) : (
        <Form
          submit={group ? t('Review changes') : t('Create group')}
          ready={name.trim() !== ''}
          save={async () => (group ? setReviewing(true) : fleet.createGroup({ ...fields, name: name.trim(), priority, target }))}
          onSaved={() => (group ? undefined : saved())}
          onCancel={onClose}
        >
          {(errorAt) => (
            <>
              {!fixed && <NameField value={name} onChange={setName} maxLength={128} error={errorAt('name')} />}
              <TextInput
                label={t('Description')}
                maxLength={1024}
                value={description}
                onChange={(event) => setDescription(event.currentTarget.value)}
              />
              {!fixed && (
                <NumberInput
                  label={t('Priority')}
                  description={t('Where groups of an agent disagree, the higher number wins.')}
                  min={0}
                  max={1_000_000}
                  allowDecimal={false}
                  value={priority}
                  error={errorAt('priority')}
                  onChange={(value) => setPriority(Number(value))}
                />
              )}
              {!fixed && (
                <>
                  <MultiSelect
                    label={t('Also all agents on')}
                    description={t('Agents with one of these systems and all labels below are in the group, besides its members.')}
                    data={platforms}
                    value={target.platforms}
                    onChange={(chosen) => setTarget({ ...target, platforms: chosen as typeof target.platforms })}
                  />
                  <LabelsInput
                    label={t('And with the labels')}
                    value={target.labels}
                    error={errorAt('labels')}
                    onChange={(labels) => setTarget({ ...target, labels })}
                  />
                </>
              )}
              <PolicyFields policy={policy} onChange={setPolicy} errorAt={errorAt} />
            </>
          )}
        </Form>
      )}
    </Modal>
  );
}
