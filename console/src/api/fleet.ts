import { body, client } from './client.ts';
import type {
  Agent,
  AgentCommand,
  AgentDetails,
  AgentRelease,
  AgentShareMap,
  ConfigGroup,
  ConfigRollout,
  EffectiveConfig,
  ReleaseRollout,
  RequestBody,
  Transfer,
} from './types.ts';

export const agents = (
  query: { q?: string; group_id?: string; limit?: number; offset?: number } = {},
): Promise<{ items: Agent[]; total: number }> => body(client.GET('/api/v1/agents', { params: { query } }));
export const agent = (agent_id: string): Promise<AgentDetails> =>
  body(client.GET('/api/v1/agents/{agent_id}', { params: { path: { agent_id } } }));
export const approveAgent = (agent_id: string) =>
  body(client.POST('/api/v1/agents/{agent_id}/approve', { params: { path: { agent_id } } }));
export const revokeAgent = (agent_id: string) => body(client.DELETE('/api/v1/agents/{agent_id}', { params: { path: { agent_id } } }));
export const purgeAgent = (agent_id: string) =>
  body(client.DELETE('/api/v1/agents/{agent_id}', { params: { path: { agent_id }, query: { purge: true } } }));
export const quarantine = (agent_id: string) =>
  body(client.GET('/api/v1/agents/{agent_id}/quarantine', { params: { path: { agent_id }, query: { limit: 5 } } }));
type TokenFields = RequestBody<'/api/v1/agents/enrollment-tokens', 'post'>;
export const issueToken = (fields: TokenFields) => body(client.POST('/api/v1/agents/enrollment-tokens', { body: fields }));
export const commands = (agent_id: string): Promise<AgentCommand[]> =>
  body(client.GET('/api/v1/agent-commands', { params: { query: { agent_id, limit: 5 } } }));
export const sendCommand = (agent_id: string, fields: RequestBody<'/api/v1/agents/{agent_id}/commands', 'post'>) =>
  body(client.POST('/api/v1/agents/{agent_id}/commands', { params: { path: { agent_id } }, body: fields }));
type Inventory = RequestBody<'/api/v1/agents/{agent_id}/commands', 'post'>['payload'];
export type CollectorName = NonNullable<NonNullable<Inventory>['collectors']>[number];
export const inventoryCollectors = () => body(client.GET('/api/v1/agents/inventory-collectors'));
type Sweep = 'reextract' | 'rehash-sweep' | 'maintenance';
export const sweepAgent = (agent_id: string, what: Sweep) => {
  const params = { path: { agent_id } };
  if (what === 'maintenance') return body(client.POST('/api/v1/agents/{agent_id}/maintenance', { params }));
  if (what === 'reextract') return body(client.POST('/api/v1/agents/{agent_id}/reextract', { params, body: { force: true } }));
  return body(client.POST('/api/v1/agents/{agent_id}/rehash-sweep', { params, body: {} }));
};
export const command = (command_id: string): Promise<AgentCommand> =>
  body(client.GET('/api/v1/agent-commands/{command_id}', { params: { path: { command_id } } }));
export const setLabels = (agent_id: string, labels: string[]) =>
  body(client.PATCH('/api/v1/agents/{agent_id}', { params: { path: { agent_id } }, body: { labels } }));
export const lag = (agent_id: string) => body(client.GET('/api/v1/agents/{agent_id}/lag', { params: { path: { agent_id } } }));
export const agentOfItem = (item_id: string) => body(client.GET('/api/v1/items/{item_id}/agent-status', { params: { path: { item_id } } }));
export const verifyItem = (item_id: string, mode: 'stat' | 'rehash') =>
  body(client.POST('/api/v1/items/{item_id}/verify', { params: { path: { item_id } }, body: { mode } }));
export const suspendAgent = (agent_id: string, suspended: boolean) =>
  body(client.POST('/api/v1/agents/{agent_id}/suspend', { params: { path: { agent_id } }, body: { suspended } }));
export const cancelCommand = (command_id: string) =>
  body(client.POST('/api/v1/agent-commands/{command_id}/cancel', { params: { path: { command_id } } }));
export const configGroups = (): Promise<ConfigGroup[]> => body(client.GET('/api/v1/agents/config-groups'));
export const groupHistory = (group_id: string) =>
  body(client.GET('/api/v1/agents/config-groups/{group_id}/history', { params: { path: { group_id } } }));
type GroupChange = RequestBody<'/api/v1/agents/config-groups/{group_id}', 'patch'>;
export type GroupPolicy = ConfigGroup['policy'];
export type NewRollout = NonNullable<GroupChange['rollout']>;
export const createGroup = (fields: RequestBody<'/api/v1/agents/config-groups', 'post'>): Promise<ConfigGroup> =>
  body(client.POST('/api/v1/agents/config-groups', { body: fields }));
export const changeGroup = (group_id: string, change: GroupChange): Promise<ConfigGroup> =>
  body(client.PATCH('/api/v1/agents/config-groups/{group_id}', { params: { path: { group_id } }, body: change }));
export const deleteGroup = (group_id: string) =>
  body(client.DELETE('/api/v1/agents/config-groups/{group_id}', { params: { path: { group_id } } }));
export const previewGroup = (group_id: string, policy: GroupPolicy) =>
  body(client.POST('/api/v1/agents/config-groups/{group_id}/preview', { params: { path: { group_id } }, body: { policy } }));
export const rollBackGroup = (group_id: string, change: RequestBody<'/api/v1/agents/config-groups/{group_id}/rollback', 'post'>) =>
  body(client.POST('/api/v1/agents/config-groups/{group_id}/rollback', { params: { path: { group_id } }, body: change }));
export const setGroupsOf = (agent_id: string, group_ids: string[]) =>
  body(client.PUT('/api/v1/agents/{agent_id}/config-groups', { params: { path: { agent_id } }, body: { group_ids } }));
export const effectiveConfig = (agent_id: string): Promise<EffectiveConfig> =>
  body(client.GET('/api/v1/agents/{agent_id}/effective-config', { params: { path: { agent_id } } }));
export const configRollouts = (): Promise<ConfigRollout[]> =>
  body(client.GET('/api/v1/agents/config-rollouts', { params: { query: { limit: 20 } } }));
export const promoteConfig = (rollout_id: string) =>
  body(client.POST('/api/v1/agents/config-rollouts/{rollout_id}/promote', { params: { path: { rollout_id } } }));
export const cancelConfig = (rollout_id: string) =>
  body(client.POST('/api/v1/agents/config-rollouts/{rollout_id}/cancel', { params: { path: { rollout_id } } }));
export const pauseConfig = (rollout_id: string, paused: boolean) =>
  paused
    ? body(client.POST('/api/v1/agents/config-rollouts/{rollout_id}/pause', { params: { path: { rollout_id } } }))
    : body(client.POST('/api/v1/agents/config-rollouts/{rollout_id}/resume', { params: { path: { rollout_id } } }));
export const pauseRelease = (rollout_id: string, paused: boolean) =>
  paused
    ? body(client.POST('/api/v1/agent-release-rollouts/{rollout_id}/pause', { params: { path: { rollout_id } } }))
    : body(client.POST('/api/v1/agent-release-rollouts/{rollout_id}/resume', { params: { path: { rollout_id } } }));
export const releases = async (): Promise<AgentRelease[]> => (await body(client.GET('/api/v1/agent-releases'))).releases;
export const withdrawRelease = (version: string) =>
  body(client.DELETE('/api/v1/agent-releases/{version}', { params: { path: { version } } }));
type NewReleaseRollout = RequestBody<'/api/v1/agent-releases/{version}/rollouts', 'post'>;
export const resolveClone = (agent_id: string, keep_run_id: string | null): Promise<Agent> =>
  body(
    client.POST('/api/v1/agents/{agent_id}/resolve-clone', {
      params: { path: { agent_id } },
      body: keep_run_id === null ? {} : { keep_run_id },
    }),
  );
export const rollOutRelease = (version: string, rollout: NewReleaseRollout) =>
  body(client.POST('/api/v1/agent-releases/{version}/rollouts', { params: { path: { version } }, body: rollout }));
export const releaseRollouts = (): Promise<ReleaseRollout[]> =>
  body(client.GET('/api/v1/agent-release-rollouts', { params: { query: { limit: 20 } } }));
export const promoteRelease = (rollout_id: string) =>
  body(client.POST('/api/v1/agent-release-rollouts/{rollout_id}/promote', { params: { path: { rollout_id } } }));
export const cancelRelease = (rollout_id: string) =>
  body(client.POST('/api/v1/agent-release-rollouts/{rollout_id}/cancel', { params: { path: { rollout_id } } }));
export const rollBackRelease = (rollout_id: string) =>
  body(client.POST('/api/v1/agent-release-rollouts/{rollout_id}/rollback', { params: { path: { rollout_id } } }));
export const updateAgent = (agent_id: string) =>
  body(client.POST('/api/v1/agents/{agent_id}/self-update', { params: { path: { agent_id } } }));
export const transfers = (): Promise<Transfer[]> => body(client.GET('/api/v1/transfers', { params: { query: { limit: 20 } } }));
export const cancelTransfer = (transfer_id: string) =>
  body(client.DELETE('/api/v1/transfers/{transfer_id}', { params: { path: { transfer_id } } }));
type ShareFields = RequestBody<'/api/v1/agent-share-maps', 'post'>;
export const shareMaps = (): Promise<AgentShareMap[]> => body(client.GET('/api/v1/agent-share-maps'));
/** For one agent, or for every agent with null. */
export const addShareMap = (agent_id: string | null, fields: ShareFields): Promise<AgentShareMap> =>
  agent_id === null
    ? body(client.POST('/api/v1/agent-share-maps', { body: fields }))
    : body(client.POST('/api/v1/agents/{agent_id}/share-maps', { params: { path: { agent_id } }, body: fields }));
export const changeShareMap = (map_id: string, fields: RequestBody<'/api/v1/agent-share-maps/{map_id}', 'patch'>) =>
  body(client.PATCH('/api/v1/agent-share-maps/{map_id}', { params: { path: { map_id } }, body: fields }));
export const removeShareMap = (map_id: string) =>
  body(client.DELETE('/api/v1/agent-share-maps/{map_id}', { params: { path: { map_id } } }));
