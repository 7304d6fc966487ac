import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import { FormDialog } from '../../components/form.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { serverText, t } from '../../language/text.ts';

interface InventoryDialogProps {
  agentId: string;
  /** What the agent says it can collect; undefined when it does not say, as older ones. */
  available: readonly string[] | undefined;
  onSent: () => unknown;
  onClose: () => void;
}

/** Asks an agent to list its files, with the choice of what it collects. */
export function InventoryDialog({ agentId, available, onSent, onClose }: InventoryDialogProps) {
  const collectors = useQuery({ queryKey: ['agents', 'collectors'], queryFn: fleet.inventoryCollectors });
  const [given, setGiven] = useState<fleet.CollectorName[] | null>(null);
  const can = (name: string): boolean => available?.includes(name) ?? true;
  const chosen = given ?? collectors.data?.filter(({ name, by_default }) => by_default && can(name)).map(({ name }) => name) ?? [];
  return (
    <FormDialog
      title={t('List all files')}
      submit={t('List files')}
      ready={chosen.length > 0}
      save={() => fleet.sendCommand(agentId, { kind: 'inventory', payload: { collectors: chosen } })}
      onSaved={onSent}
      onClose={onClose}
      onCancel={onClose}
    >
      {() => (
        <>
          <p className="t2">{t('Files and folders are listed without being opened. Choose what is noted of each.')}</p>
          <ErrorNote error={collectors.error} />
          {collectors.data?.map(({ name, label, description }) => (
            <Checkbox
              key={name}
              label={serverText(label)}
              description={can(name) ? serverText(description) : t('This agent cannot collect it.')}
              disabled={!can(name)}
              checked={chosen.includes(name)}
              onChange={(event) => setGiven(event.currentTarget.checked ? [...chosen, name] : chosen.filter((other) => other !== name))}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
