/**
 * Polls for some of the simulated agents, one after another, in a process of its own: in the one that simulates thousands of agents a
 * response would wait for its turn, as it does not on the machine of an agent. Arguments: address, folder of the agents, their ids.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../agent/src/client.ts';

const [url = '', folder = '', ...ids] = process.argv.slice(2);
const pauseMs = 50;
let times: number[] = [];
process.on('message', (message) => {
  if (message === 'begin') times = [];
  else process.send?.(times);
});
const clients = ids.map((agentId) => createClient({ centralUrl: url, agentId, authorityFingerprint: null }, join(folder, agentId)));
for (let turn = 0; process.connected; turn += 1) {
  const started = performance.now();
  try {
    await clients[turn % clients.length]?.send('POST', '/commands/poll', { body: { wait_seconds: 0, max: 1 } });
    times.push(performance.now() - started);
  } catch {
    // The service restarts.
  }
  await sleep(pauseMs);
}
