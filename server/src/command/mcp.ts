import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { assembleApp } from '../assembly/app.ts';
import { systemClock } from '../platform/clock.ts';
import { openExisting } from '../platform/database/index.ts';
import { silentLog } from '../platform/log/index.ts';
import { CommandError } from './command-error.ts';
import { readSettings } from './context.ts';

/**
 * Tools for assistants over standard input and output. Every message is passed to the same route that serves /mcp, so keys, limits and the audit
 * log are the same. Standard output belongs to the protocol, so nothing is logged there.
 */
export async function runMcp(): Promise<void> {
  const key = process.env['CATALOG_API_KEY'];
  const settings = readSettings();
  if (settings.authEnabled && !key) throw new CommandError('Set CATALOG_API_KEY to an API key. Create one in the console under Account.');
  const database = await openExisting(settings, silentLog);
  const app = await assembleApp({ db: database.db, database, settings, log: silentLog, clock: systemClock });
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-session-id': `stdio-${process.pid}`,
    ...(key ? { authorization: `Bearer ${key}` } : {}),
  };
  const transport = new StdioServerTransport();
  const answer = async (message: JSONRPCMessage): Promise<void> => {
    const response = await app.inject({ method: 'POST', url: '/mcp', headers, payload: message as object });
    if (response.statusCode === 200) return transport.send(response.json());
    if (!('id' in message) || message.id === undefined || response.statusCode === 202) return;
    const { detail = 'The request was refused.' }: { detail?: string } = response.json();
    await transport.send({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: detail } });
  };
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
    process.stdin.once('end', resolve);
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  transport.onmessage = (message) => {
    // Answers of different requests may come in any order.
    answer(message).catch((error: unknown) => process.stderr.write(`${(error as Error).message}\n`));
  };
  await transport.start();
  await closed;
  await app.close();
  await database.close();
}
