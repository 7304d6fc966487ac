import { body, client } from './client.ts';
import type { Agent, AgentCommand, AgentDetails, ConfigGroup, RequestBody } from './types.ts';

export const agents = (query: { q?: string; limit?: number; offset?: number } = {}): Promise<{ items: Agent[]; total: number }> =>
  body(client.GET('/api/v1/agents', { params: { query } }));
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
export const cancelCommand = (command_id: string) =>
  body(client.POST('/api/v1/agent-commands/{command_id}/cancel', { params: { path: { command_id } } }));
export const configGroups = (): Promise<ConfigGroup[]> => body(client.GET('/api/v1/agents/config-groups'));
export const groupHistory = (group_id: string) =>
  body(client.GET('/api/v1/agents/config-groups/{group_id}/history', { params: { path: { group_id } } }));
export const rollBackGroup = (group_id: string, version: number) =>
  body(client.POST('/api/v1/agents/config-groups/{group_id}/rollback', { params: { path: { group_id } }, body: { version } }));
