import { Select, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { Agent, AgentShareMap } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { changedOnly, FormDialog } from '../../components/form.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { type Column, RowActions, Table } from '../../components/table.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';

type Opened = { what: 'edit'; rule: AgentShareMap | null } | { what: 'remove'; rule: AgentShareMap };

/** Folders on machines of agents, and the addresses under which people reach them. */
export function AddressesCard({ agents }: { agents: readonly Agent[] }) {
  const client = useQueryClient();
  const rules = useQuery({ queryKey: ['agents', 'share-maps'], queryFn: fleet.shareMaps });
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const agentName = (id: string | null): string =>
    id === null ? t('every agent') : (agents.find((agent) => agent.id === id)?.name ?? '–');
  const columns: Column<AgentShareMap>[] = [
    { head: t('Folder'), className: 'mono anywhere', cell: ({ local_prefix }) => local_prefix },
    { head: t('Agent'), cell: ({ agent_id }) => <bdi>{agentName(agent_id)}</bdi> },
    { head: t('Network address'), className: 'mono anywhere', cell: ({ location }) => location.url },
    { head: t('Windows path'), className: 'mono anywhere', cell: ({ location }) => location.unc ?? '–', wideOnly: true },
  ];
  return (
    <Card
      headingId="addresses"
      title={t('Network addresses')}
      aside={
        <Button onClick={() => setOpened({ what: 'edit', rule: null })}>
          <Plus size={16} aria-hidden />
          {t('Add address')}
        </Button>
      }
    >
      <ErrorNote error={rules.error} />
      {rules.data?.length === 0 ? (
        <p className="t2">{t('No addresses yet. Files of agents show their path on the other machine only.')}</p>
      ) : (
        rules.data && (
          <Table
            rows={rules.data}
            keyOf={({ id }) => id}
            columns={columns}
            actions={(rule) => (
              <RowActions
                name={rule.local_prefix}
                onEdit={() => setOpened({ what: 'edit', rule })}
                onRemove={() => setOpened({ what: 'remove', rule })}
              />
            )}
          />
        )
      )}
      {opened?.what === 'edit' && <AddressDialog rule={opened.rule} agents={agents} onClose={close} />}
      <ConfirmDialog
        opened={opened?.what === 'remove'}
        title={t('Remove the address of {folder}?', { folder: opened?.rule?.local_prefix })}
        confirm={t('Remove address')}
        danger
        onConfirm={async () => {
          if (opened?.rule) await fleet.removeShareMap(opened.rule.id);
          toast(t('Address removed'));
          await client.invalidateQueries({ queryKey: ['agents', 'share-maps'] });
        }}
        onClose={close}
      >
        {t('Files below this folder no longer show a network address, unless another rule gives one.')}
      </ConfirmDialog>
    </Card>
  );
}

const everyAgent = 'every';

function AddressDialog({ rule, agents, onClose }: { rule: AgentShareMap | null; agents: readonly Agent[]; onClose: () => void }) {
  const client = useQueryClient();
  const [agentId, setAgentId] = useState(rule?.agent_id ?? everyAgent);
  const [folder, setFolder] = useState(rule?.local_prefix ?? '');
  const [address, setAddress] = useState(rule?.share_prefix ?? '');
  const [unc, setUnc] = useState(rule?.unc ?? '');
  const fields = { local_prefix: folder.trim(), share_prefix: address.trim(), unc: unc.trim() || null };
  return (
    <FormDialog
      title={rule ? t('Edit {name}', { name: rule.local_prefix }) : t('Add a network address')}
      submit={rule ? t('Save') : t('Add address')}
      ready={fields.local_prefix !== '' && fields.share_prefix !== ''}
      save={() =>
        rule ? fleet.changeShareMap(rule.id, changedOnly(rule, fields)) : fleet.addShareMap(agentId === everyAgent ? null : agentId, fields)
      }
      onSaved={() => {
        toast(t('Address saved'));
        return client.invalidateQueries({ queryKey: ['agents', 'share-maps'] });
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <>
          <Select
            label={t('Agent')}
            disabled={rule !== null}
            allowDeselect={false}
            data={[{ value: everyAgent, label: t('Every agent') }, ...agents.map(({ id, name }) => ({ value: id, label: name }))]}
            value={agentId}
            onChange={(value) => setAgentId(value ?? everyAgent)}
          />
          <TextInput
            label={t('Folder on the machine of the agent')}
            placeholder="/srv/photos"
            maxLength={4096}
            value={folder}
            error={errorAt('local_prefix')}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
          <TextInput
            label={t('Network address')}
            placeholder="smb://nas/photos"
            maxLength={4096}
            value={address}
            error={errorAt('share_prefix')}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <TextInput
            label={t('Windows path')}
            placeholder={t('Derived from the address')}
            maxLength={4096}
            value={unc}
            error={errorAt('unc')}
            onChange={(event) => setUnc(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
