import { Drawer, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import type { AlertRule } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Form } from '../../components/form.tsx';
import { DeliveryFields } from './rule-delivery-fields.tsx';
import { RulePreview } from './rule-preview.tsx';
import { WhenFields } from './rule-when-fields.tsx';

type Fields = api.RuleFields;

function fieldsOf(rule: AlertRule | null): Fields {
  if (!rule) return { name: '', event_types: ['deleted'], severity: 'warning', channel_ids: [], notify_resolved: true };
  const { id: _id, created_at: _created, firing: _firing, is_system: _system, ...fields } = rule;
  return { ...fields, event_types: fields.event_types as Fields['event_types'] };
}

/** The editor of a rule, with a test against the last seven days. */
export function RuleDrawer({ rule, onClose }: { rule: AlertRule | null; onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<Fields>(fieldsOf(rule));
  const [removing, setRemoving] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const changed = JSON.stringify(fields) !== JSON.stringify(fieldsOf(rule));
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  const refresh = () => client.invalidateQueries({ queryKey: ['alert-rules'] });
  const leave = () => (changed ? setLeaving(true) : onClose());
  return (
    <Drawer
      opened
      onClose={leave}
      closeOnEscape={!leaving && !removing}
      position="right"
      size={592}
      title={rule ? 'Edit rule' : 'New rule'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form
        submit="Save rule"
        ready={fields.name.trim() !== ''}
        save={() => (rule ? api.updateRule(rule.id, fields) : api.createRule(fields))}
        onSaved={async () => {
          await refresh();
          onClose();
        }}
        onCancel={leave}
        aside={
          rule &&
          !rule.is_system && (
            <Button size="l" variant="danger" onClick={() => setRemoving(true)}>
              Delete
            </Button>
          )
        }
      >
        {(errorAt) => (
          <div className="col g4">
            <TextInput
              data-autofocus
              label="Name"
              maxLength={200}
              value={fields.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={errorAt('name')}
            />
            <WhenFields fields={fields} set={set} errorAt={errorAt} fixed={rule?.is_system ?? false} />
            <RulePreview fields={fields} />
            <DeliveryFields fields={fields} set={set} errorAt={errorAt} ruleId={rule?.id ?? null} />
          </div>
        )}
      </Form>
      {/* Mounted only while asked: a dialog that is mounted already would take the Esc that opens it for its own. */}
      {leaving && (
        <ConfirmDialog opened title="Discard the changes?" confirm="Discard" danger onConfirm={onClose} onClose={() => setLeaving(false)}>
          The rule was changed and not saved.
        </ConfirmDialog>
      )}
      {rule && (
        <ConfirmDialog
          opened={removing}
          title={`Delete the rule ${rule.name}?`}
          confirm="Delete rule"
          danger
          onConfirm={async () => {
            await api.deleteRule(rule.id);
            await refresh();
            await client.invalidateQueries({ queryKey: ['alerts'] });
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          Its alerts and their history are deleted as well. To keep them, switch the rule off instead.
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
