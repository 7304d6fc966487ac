/** An agent without files: the real client, outbox, policy and command code, with changes that are made up. */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { type Client, createClient } from '../../agent/src/client.ts';
import { createCommandRunner } from '../../agent/src/commands.ts';
import { filesIn, writePrivate } from '../../agent/src/config.ts';
import { pause, repeat } from '../../agent/src/loop.ts';
import { createPolicyTurns, fetchPolicy, readPolicy } from '../../agent/src/policy.ts';
import { createPollWait } from '../../agent/src/poll-wait.ts';
import { pushAll } from '../../agent/src/push.ts';
import { openStore, type Store } from '../../agent/src/store.ts';

export interface SimulatedAgent {
  id: string;
  publicKey: string;
  store: Store;
  client: Client;
  /** The generation of the policy that it uses. */
  generation(): number;
  /** Adds a new file to the outbox. */
  change(): void;
  made(): number;
  /** Runs until `stop`: polls, sends, reports health and fetches its policy, with growing pauses after failures. */
  run(onCommand: (id: string) => void): Promise<unknown>;
  stop(): void;
}

const root = '/data/simulated';

export function createSimulatedAgent(id: string, centralUrl: string, folder: string): SimulatedAgent {
  const dataDir = join(folder, id);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writePrivate(filesIn(dataDir).key, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const store = openStore(':memory:');
  store.run('insert into roots (path, listed) values (?, 1)', root);
  const client = createClient({ centralUrl, agentId: id, authorityFingerprint: null }, dataDir);
  let made = 0;
  // One for all agents would have tens of thousands of listeners, which takes more time than the requests.
  const stopping = new AbortController();
  const { signal } = stopping;
  return {
    id,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    store,
    client,
    generation: () => readPolicy(dataDir)?.generation ?? 0,
    made: () => made,
    change() {
      made += 1;
      const [dir, name] = [`folder ${Math.floor(made / 20)}`, `file ${made}.txt`];
      store.add({
        event_type: 'created',
        library_ref: root,
        rel_path: `${dir}/${name}`,
        size: made,
        mtime_ns: '1700000000000000000',
        quick_hash: made.toString(16).padStart(16, '0'),
        content_hash: made.toString(16).padStart(64, '0'),
        policy_version: 'h1:full',
      });
    },
    stop: () => stopping.abort(),
    run(onCommand) {
      const quiet = (): void => {};
      const wait = (seconds: number): Promise<void> => pause(seconds, signal);
      const perform = async ({ id: command }: { id: string }): Promise<Record<string, unknown>> => {
        onCommand(command);
        return {};
      };
      const commands = createCommandRunner({ client, kinds: { rescan: { lane: 'sweep', perform } }, wait, log: quiet, signal });
      const spread = (seconds: number): number => seconds * (0.5 + Math.random());
      const later = async (seconds: number, work: () => Promise<number>): Promise<void> => {
        await wait(Math.random() * seconds);
        await repeat(signal, quiet, work);
      };
      const policyTurns = createPolicyTurns();
      const pollWait = createPollWait();
      return Promise.all([
        later(10, async () => {
          await pollWait.run((seconds) => commands.poll(seconds));
          return 0.1;
        }),
        later(5, async () => {
          await pushAll(store, client, { wait, signal });
          return spread(10);
        }),
        later(30, async () => {
          const body = { version: '0.1.0', health: { outbox_pending: store.pending(), index_items: made }, capabilities: {} };
          const answer = await client.send('POST', '/heartbeat', { body, signal });
          const { next_in_seconds, config_mark, poll_seconds } = answer.body as Record<string, unknown> & { next_in_seconds: number };
          policyTurns.tell(config_mark);
          pollWait.tell(poll_seconds);
          return spread(next_in_seconds);
        }),
        later(30, async () => {
          if (!policyTurns.isDue()) return 10;
          const before = readPolicy(dataDir)?.etag;
          policyTurns.asked((await fetchPolicy(client, dataDir)).etag !== before);
          return 10;
        }),
      ]);
    },
  };
}
