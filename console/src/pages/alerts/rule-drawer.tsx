import { Drawer, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import { errorMessage } from '../../api/problem.ts';
import type { AlertRule } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { changedOnly, Form } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { useCloseHere } from '../../components/use-on-page.ts';
import { t } from '../../language/text.ts';
import s from './alerts-page.module.css';
import { ruleName } from './labels.ts';
import { DeliveryFields } from './rule-delivery-fields.tsx';
import { RulePreview } from './rule-preview.tsx';
import { WhenFields } from './rule-when-fields.tsx';

type Fields = api.RuleFields;

function fieldsOf(rule: AlertRule | null): Fields {
  if (!rule) return { name: '', event_types: ['deleted'], severity: 'warning', channel_ids: [], notify_resolved: true };
  const { id: _id, created_at: _created, firing: _firing, is_system: _system, ...fields } = rule;
  return { ...fields, event_types: fields.event_types as Fields['event_types'] };
}

/** Sends a test message to these channels and says which of them took it. */
async function testChannels(ids: readonly string[]): Promise<string> {
  const channels = (await api.alertChannels()).filter(({ id }) => ids.includes(id));
  const results = await Promise.all(
    channels.map(async ({ id, name }) => {
      const { ok, detail } = await api.testSavedChannel(id);
      return ok ? t('{name} accepted the message.', { name }) : `${name}: ${detail}`;
    }),
  );
  return results.join(' ');
}

/** The editor of a rule, with a test against the last seven days. */
export function RuleDrawer({ rule, ...props }: { rule: AlertRule | null; onClose: () => void }) {
  const onClose = useCloseHere(props.onClose);
  const client = useQueryClient();
  const [fields, setFields] = useState<Fields>(fieldsOf(rule));
  const [removing, setRemoving] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const changed = JSON.stringify(fields) !== JSON.stringify(fieldsOf(rule));
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  const refresh = () => client.invalidateQueries({ queryKey: ['alert-rules'] });
  const test = useMutation({
    mutationFn: () => testChannels(fields.channel_ids ?? []),
    onSuccess: toast,
    onError: (error) => toast(errorMessage(error)),
  });
  const leave = () => (changed ? setLeaving(true) : onClose());
  return (
    <Drawer
      opened
      onClose={leave}
      closeOnEscape={!leaving && !removing}
      position="right"
      size={592}
      title={rule ? t('Edit rule') : t('New rule')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <div className={s.drawer}>
        <Form
          submit={t('Save rule')}
          ready={fields.name.trim() !== ''}
          save={() => (rule ? api.updateRule(rule.id, changedOnly(fieldsOf(rule), fields)) : api.createRule(fields))}
          onSaved={async () => {
            await refresh();
            onClose();
          }}
          onCancel={leave}
          aside={
            <>
              <Button
                size="l"
                variant="ghost"
                disabled={(fields.channel_ids ?? []).length === 0 || test.isPending}
                onClick={() => test.mutate()}
              >
                <Send size={16} aria-hidden />
                {t('Send a test')}
              </Button>
              {rule && !rule.is_system && (
                <Button size="l" variant="danger" onClick={() => setRemoving(true)}>
                  {t('Delete')}
                </Button>
              )}
            </>
          }
        >
          {(errorAt) => (
            <div className="col g4">
              <TextInput
                data-autofocus
                label={t('Name')}
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
      </div>
      {/* Mounted only while asked: a dialog that is mounted already would take the Esc that opens it for its own. */}
      {leaving && (
        <ConfirmDialog
          opened
          title={t('Discard the changes?')}
          confirm={t('Discard')}
          danger
          onConfirm={onClose}
          onClose={() => setLeaving(false)}
        >
          {t('The rule was changed and not saved.')}
        </ConfirmDialog>
      )}
      {rule && (
        <ConfirmDialog
          opened={removing}
          title={t('Delete the rule {name}?', { name: ruleName(rule.name) })}
          confirm={t('Delete rule')}
          danger
          onConfirm={async () => {
            await api.deleteRule(rule.id);
            await refresh();
            await client.invalidateQueries({ queryKey: ['alerts'] });
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          {t('Its alerts and their history are deleted as well. To keep them, switch the rule off instead.')}
        </ConfirmDialog>
      )}
    </Drawer>
  );
}
