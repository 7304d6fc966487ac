import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { performTask } from '../../../test/perform.ts';
import { exportTasks } from '../exports/tasks.ts';
import { scheduleTasks } from './tasks.ts';

interface RunOut {
  state: string;
  detail: string | null;
  row_count: number;
  export_id: string;
  deliveries: { state: string; attempts: number; last_error: string | null }[];
}

/** A test app with two channels, a webhook and mail, that keep what they receive. */
export interface ScheduleApp extends TestApp {
  webhook: string;
  mailbox: string;
  posts: Record<string, unknown>[];
  mails: string[];
  /** Status codes of the next answers of the webhook; 200 when empty. */
  answers: number[];
  forgetMessages(): void;
  addSchedule(fields: Record<string, unknown>, as?: string): Promise<string>;
  startRun(id: string, as?: string): Promise<void>;
  /** Performs the waiting jobs of schedules and exports like a worker; a job that is rescheduled is performed again by the next call. */
  work(): Promise<void>;
  runNow(id: string, as?: string): Promise<RunOut>;
  runs(id: string, as?: string): Promise<RunOut[]>;
}

export async function createScheduleApp(): Promise<ScheduleApp> {
  const t = await createTestApp({
    SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    SVC_PUBLIC_BASE_URL: 'https://catalog.example',
    SVC_REPORT_EMAIL_MAX_BYTES: '800',
  });
  const posts: Record<string, unknown>[] = [];
  const mails: string[] = [];
  const answers: number[] = [];
  const hook = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const status = answers.shift() ?? 200;
      if (status === 200) posts.push(JSON.parse(text));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve));

  async function addChannel(name: string, type: string, config: Record<string, unknown>): Promise<string> {
    const response = await t.request('POST', '/alert-channels', { name, type, config });
    expect(response.statusCode, response.body).toBe(201);
    return response.json().id;
  }
  const webhook = await addChannel('Hook', 'webhook', { url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` });
  const mailbox = await addChannel('Post', 'smtp', {
    host: '127.0.0.1',
    port: (mail.server.address() as AddressInfo).port,
    security: 'plain',
    allow_insecure: true,
    from_addr: 'catalog@example.org',
    to: ['ada@example.org'],
  });

  let names = 0;
  async function addSchedule(fields: Record<string, unknown>, as = 'write'): Promise<string> {
    names += 1;
    const body = { name: `Schedule ${names}`, canned_report_key: 'largest_files', cron: '0 6 * * 1', ...fields };
    const response = await t.request('POST', '/report-schedules', body, { as });
    expect(response.statusCode, response.body).toBe(201);
    return response.json().id;
  }

  async function startRun(id: string, as = 'write'): Promise<void> {
    const started = await t.request('POST', `/report-schedules/${id}/run`, undefined, { as });
    expect(started.statusCode, started.body).toBe(202);
  }

  async function work(): Promise<void> {
    for (const task of [...scheduleTasks(t.deps), ...exportTasks(t.deps)]) {
      const { rows } = await sql<{
        id: string;
        payload: never;
      }>`select id, payload from jobs where task = ${task.name} and state = 'todo' order by id`.execute(t.deps.db);
      for (const job of rows) {
        try {
          await performTask(t.deps, task, job.payload, { jobId: job.id });
        } catch (error) {
          if ('seconds' in (error as object)) continue;
          throw error;
        }
        await sql`update jobs set state = 'succeeded' where id = ${job.id}`.execute(t.deps.db);
      }
    }
  }

  const runs = async (id: string, as = 'write'): Promise<RunOut[]> =>
    (await t.request('GET', `/report-schedules/${id}/runs`, undefined, { as })).json().runs;

  async function runNow(id: string, as = 'write'): Promise<RunOut> {
    await startRun(id, as);
    for (let n = 0; n < 4; n += 1) await work();
    return (await runs(id, as))[0]!;
  }

  return {
    ...t,
    webhook,
    mailbox,
    posts,
    mails,
    answers,
    addSchedule,
    startRun,
    work,
    runNow,
    runs,
    forgetMessages() {
      for (const list of [posts, mails, answers]) list.length = 0;
    },
    async close() {
      hook.close();
      await new Promise<void>((resolve) => mail.close(() => resolve()));
      await t.close();
    },
  };
}
