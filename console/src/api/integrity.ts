import { body, client } from './client.ts';
import type { IntegrityEvent, IntegritySettings, IntegritySummary } from './types.ts';

export const integrity = (): Promise<IntegritySummary> => body(client.GET('/api/v1/integrity'));
export const setIntegrity = (settings: IntegritySettings): Promise<IntegritySummary> =>
  body(client.PUT('/api/v1/integrity/settings', { body: settings }));
export const integrityEvents = async (state: 'open' | 'closed'): Promise<IntegrityEvent[]> =>
  (await body(client.GET('/api/v1/integrity/events', { params: { query: { state, limit: 100 } } }))).events;
export const acceptContent = (event_id: string): Promise<IntegrityEvent> =>
  body(client.POST('/api/v1/integrity/events/{event_id}/accept', { params: { path: { event_id } } }));
