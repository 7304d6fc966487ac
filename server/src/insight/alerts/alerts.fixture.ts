import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { pump } from './pump.ts';
import { seedAlertRules } from './rules.ts';
import type { SearchMatcher } from './search-rules.ts';

export interface ReceivedMessage {
  id: string;
  kind: string;
  rule: string;
  event_type: string;
  count: number;
  title: string;
  message: string;
  paths: string[];
  truncated?: number;
  group: string;
}

/** A webhook receiver. `answer` decides about each request; messages are those it accepted. */
export interface Receiver {
  port: number;
  messages: ReceivedMessage[];
  requests: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { port: 0, messages: [], requests: 0, answer: (_, response) => void response.end(), close: () => {} };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      receiver.requests += 1;
      receiver.answer(request, response);
      if (response.statusCode < 300 && !request.destroyed) receiver.messages.push(JSON.parse(body) as ReceivedMessage);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.port = (server.address() as AddressInfo).port;
  receiver.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return receiver;
}

export interface AlertsApp extends TestApp {
  /** The time of the pump. */
  now: Date;
  wait(seconds: number): void;
  pump(options?: { matchSearch?: SearchMatcher; env?: Record<string, string> }): Promise<void>;
  warnings: string[];
  channel(port: number, name?: string): Promise<string>;
  rule(fields: Record<string, unknown>): Promise<string>;
  /** A settled run with these changes: path and kind. */
  run(
    libraryId: string,
    changes: [path: string, kind: string, more?: { from?: string; oldHash?: string; itemId?: string }][],
  ): Promise<string>;
  groups(): Promise<Record<string, unknown>[]>;
  /** Removes everything that a test made, so that one app serves a whole file. */
  reset(): Promise<void>;
}

export async function createAlertsApp(env: Record<string, string> = {}): Promise<AlertsApp> {
  const t = await createTestApp({ SVC_SECRET_KEY: 'a key for these tests', SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1', ...env });
  const { db } = t.deps;
  const warnings: string[] = [];
  const log = { ...t.deps.log, warning: (text: string) => void warnings.push(text), error: (text: string) => void warnings.push(text) };
  const made = async (url: string, body: unknown): Promise<string> => {
    const response = await t.request('POST', url, body);
    if (response.statusCode !== 201) throw new Error(response.body);
    return response.json().id as string;
  };
  const app: AlertsApp = {
    ...t,
    now: new Date('2026-03-01T10:00:00Z'),
    warnings,
    wait(seconds) {
      app.now = new Date(app.now.getTime() + seconds * 1000);
    },
    async pump({ matchSearch = async () => [] } = {}) {
      const outbound = createOutbound({ settings: t.deps.settings, env: {} });
      await pump({ db, log, settings: t.deps.settings, now: app.now }, { outbound, matchSearch });
    },
    channel: (port, name = `Hook ${randomUUID()}`) =>
      made('/alert-channels', { name, type: 'webhook', config: { url: `http://127.0.0.1:${port}/` } }),
    rule: (fields) => made('/alert-rules', { name: `Rule ${randomUUID()}`, ...fields }),
    async run(libraryId, changes) {
      const { rows } = await sql<{
        id: string;
      }>`insert into scan_runs (library_id, status, phase, finished_at) values (${libraryId}, 'running', 'done', now()) returning id`.execute(
        db,
      );
      const runId = rows[0]!.id;
      for (const [relPath, kind, { from = null, oldHash = null, itemId = randomUUID() } = {}] of changes)
        await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path, from_rel_path, old_content_hash)
          values (${runId}, ${libraryId}, ${itemId}, ${kind}, ${relPath}, ${from}, ${oldHash})`.execute(db);
      await sql`update scan_runs set settled = true, status = 'finished' where id = ${runId}`.execute(db);
      return runId;
    },
    async reset() {
      app.now = new Date('2026-03-01T10:00:00Z');
      warnings.length = 0;
      await sql`truncate alert_groups, alert_channels, alert_silences, alert_inbox, system_events, alert_error_samples, secrets, item_rows, scan_changes, scan_runs,
        saved_searches, all_libraries cascade`.execute(db);
      await sql`truncate alert_rules cascade`.execute(db);
      await seedAlertRules(db);
    },
    groups: async () => (await sql<Record<string, unknown>>`select * from alert_groups order by opened_at, id`.execute(db)).rows,
  };
  return app;
}
