/** What the service can ask for, each kind in a lane of its own where it may take long. */
import type { CommandKinds } from './commands.ts';
import { performInventory } from './inventory.ts';
import { fetchPolicy, type Policy, readPolicy } from './policy.ts';
import { readEverythingAgain } from './read-again.ts';
import { sweepHashes } from './rehash.ts';
import { requireRoots } from './roots.ts';
import { alone, type Running, reconcileRoots, scanAll, uploadLimit } from './running.ts';
import { performUpload } from './upload.ts';
import { createVerify } from './verify-file.ts';

const policyOf = async ({ client, dataDir }: Running): Promise<Policy> =>
  (readPolicy(dataDir) ?? (await fetchPolicy(client, dataDir))).policy;

export function commandKinds(agent: Running, wait: (seconds: number) => Promise<void>): CommandKinds {
  const { store, config } = agent;
  const { roots } = config;
  const verify = createVerify({ store, roots, bytesPerSecond: config.limits.readBytesPerSecond });
  return {
    rescan: {
      lane: 'sweep',
      async perform({ payload }, { signal }) {
        return { roots: await scanAll(agent, await policyOf(agent), signal, requireRoots(roots, payload['library_ref'])) };
      },
    },
    reconcile: {
      lane: 'sweep',
      async perform({ payload }, { signal }) {
        return { roots: await reconcileRoots(agent, requireRoots(roots, payload['library_ref']), signal) };
      },
    },
    stage_upload: {
      lane: 'transfer',
      perform: (command, context) =>
        performUpload({ store, client: agent.client, roots, bytesPerSecond: uploadLimit(agent), wait }, command, context),
    },
    suspend: {
      lane: 'control',
      async perform({ payload }) {
        agent.store.setMeta('suspended', String(payload['suspended'] === true));
        return { suspended: payload['suspended'] === true };
      },
    },
    reextract: {
      lane: 'reading',
      perform: async (command, context) =>
        readEverythingAgain(store, requireRoots(roots, command.payload['library_ref']), await policyOf(agent), command, {
          ...context,
          wait,
        }),
    },
    rehash_sweep: {
      lane: 'hashing',
      async perform(command, context) {
        const [policy, named] = [await policyOf(agent), requireRoots(roots, command.payload['library_ref'])];
        return { ...(await sweepHashes({ agent, policy, roots: named, alone: (work) => alone(agent, work) }, command, context)) };
      },
    },
    agent_maintenance: {
      lane: 'maintenance',
      perform: () => alone(agent, async () => store.tidy()),
    },
    stat_check: { lane: 'check', perform: verify },
    rehash_check: { lane: 'check', perform: verify },
    inventory: { lane: 'inventory', perform: (command, context) => performInventory(agent.client, roots, command, context) },
  };
}
