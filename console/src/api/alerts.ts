import { permissionChangeText } from '../format/permissions.ts';
import { serverText } from '../language/text.ts';
import { body, client } from './client.ts';
import type { Alert, AlertChannel, AlertRule, AlertSilence, QueryParams, RequestBody } from './types.ts';

const alertText = ({ event_type }: Pick<Alert, 'event_type'>, text: string): string =>
  event_type === 'permission_changed' ? permissionChangeText(text) : serverText(text);

export const alerts = (
  query: QueryParams<'/api/v1/alerts', 'get'>,
): Promise<{ items: Alert[]; firing: number; resolved_last_week: number }> =>
  body(client.GET('/api/v1/alerts', { params: { query } })).then((found) => ({
    ...found,
    items: found.items.map((alert) => ({ ...alert, title: alertText(alert, alert.title), message: alertText(alert, alert.message) })),
  }));
export const acknowledgeAlert = (alert_id: string) =>
  body(client.POST('/api/v1/alerts/{alert_id}/acknowledge', { params: { path: { alert_id } } }));
export const resendAlert = (alert_id: string) => body(client.POST('/api/v1/alerts/{alert_id}/resend', { params: { path: { alert_id } } }));

export type RuleFields = RequestBody<'/api/v1/alert-rules', 'post'>;
export const alertRules = (): Promise<AlertRule[]> => body(client.GET('/api/v1/alert-rules'));
export const createRule = (fields: RuleFields): Promise<AlertRule> => body(client.POST('/api/v1/alert-rules', { body: fields }));
export const updateRule = (rule_id: string, fields: RequestBody<'/api/v1/alert-rules/{rule_id}', 'patch'>): Promise<AlertRule> =>
  body(client.PATCH('/api/v1/alert-rules/{rule_id}', { params: { path: { rule_id } }, body: fields }));
export const deleteRule = (rule_id: string) => body(client.DELETE('/api/v1/alert-rules/{rule_id}', { params: { path: { rule_id } } }));
export const previewRule = (fields: RequestBody<'/api/v1/alert-rules/preview', 'post'>) =>
  body(client.POST('/api/v1/alert-rules/preview', { body: fields }));

export type ChannelFields = RequestBody<'/api/v1/alert-channels', 'post'>;
export const alertChannels = (): Promise<AlertChannel[]> => body(client.GET('/api/v1/alert-channels'));
export const createChannel = (fields: ChannelFields): Promise<AlertChannel> =>
  body(client.POST('/api/v1/alert-channels', { body: fields }));
export const updateChannel = (
  channel_id: string,
  fields: RequestBody<'/api/v1/alert-channels/{channel_id}', 'patch'>,
): Promise<AlertChannel> => body(client.PATCH('/api/v1/alert-channels/{channel_id}', { params: { path: { channel_id } }, body: fields }));
export const deleteChannel = (channel_id: string) =>
  body(client.DELETE('/api/v1/alert-channels/{channel_id}', { params: { path: { channel_id } } }));
export const testChannel = (channel_id: string | null, type: ChannelFields['type'], config: NonNullable<ChannelFields['config']>) =>
  channel_id === null
    ? body(client.POST('/api/v1/alert-channels/test', { body: { type, config } }))
    : body(client.POST('/api/v1/alert-channels/{channel_id}/test', { params: { path: { channel_id } }, body: { config } }));

/** With the stored settings. */
export const testSavedChannel = (channel_id: string) =>
  body(client.POST('/api/v1/alert-channels/{channel_id}/test', { params: { path: { channel_id } }, body: {} }));

export const alertSilences = (): Promise<AlertSilence[]> => body(client.GET('/api/v1/alert-silences'));
export const createSilence = (fields: RequestBody<'/api/v1/alert-silences', 'post'>): Promise<AlertSilence> =>
  body(client.POST('/api/v1/alert-silences', { body: fields }));
export const changeSilence = (
  silence_id: string,
  fields: RequestBody<'/api/v1/alert-silences/{silence_id}', 'patch'>,
): Promise<AlertSilence> => body(client.PATCH('/api/v1/alert-silences/{silence_id}', { params: { path: { silence_id } }, body: fields }));
export const endSilence = (silence_id: string) =>
  body(client.DELETE('/api/v1/alert-silences/{silence_id}', { params: { path: { silence_id } } }));
