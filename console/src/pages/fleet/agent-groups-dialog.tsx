import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { Agent } from '../../api/types.ts';
import { FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';

/** Chooses the groups of one agent. The group of all agents is not listed, because it always applies. */
export function AgentGroupsDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const client = useQueryClient();
  const groups = useQuery({ queryKey: ['agents', 'groups'], queryFn: fleet.configGroups });
  const [chosen, setChosen] = useState(agent.config_group_ids);
  const offered = groups.data?.filter(({ is_system }) => !is_system) ?? [];
  return (
    <FormDialog
      title={t('Groups of {name}', { name: agent.name })}
      submit={t('Save')}
      ready={groups.isSuccess}
      save={() => fleet.setGroupsOf(agent.id, chosen)}
      onSaved={async () => {
        toast(t('Groups saved'));
        await client.invalidateQueries({ queryKey: ['agents'] });
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {() => (
        <>
          {offered.length === 0 && <p className="t2">{t('There is no group besides the one of all agents. Create one first.')}</p>}
          {offered.map(({ id, name, description }) => (
            <Checkbox
              key={id}
              label={name}
              description={description}
              checked={chosen.includes(id)}
              onChange={(event) => setChosen(event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id))}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
