import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { Agent } from '../../api/types.ts';
import { FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { LabelsInput } from './labels-input.tsx';

/** Labels by which groups apply to an agent. */
export function AgentLabelsDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const client = useQueryClient();
  const [labels, setLabels] = useState(agent.labels);
  return (
    <FormDialog
      title={t('Labels of {name}', { name: agent.name })}
      submit={t('Save')}
      ready
      save={() => fleet.setLabels(agent.id, labels)}
      onSaved={async () => {
        toast(t('Labels saved'));
        await client.invalidateQueries({ queryKey: ['agents'] });
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <LabelsInput
          label={t('Labels')}
          description={t('Groups can apply to all agents with a label, for example “studio”.')}
          value={labels}
          error={errorAt('labels')}
          onChange={setLabels}
        />
      )}
    </FormDialog>
  );
}
