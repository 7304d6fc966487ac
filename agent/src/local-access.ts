/**
 * Whether files may be searched on this machine. The service decides; when it has not been reached for the grace time, has refused this
 * agent, or the clock was set back, the answer is no.
 */
import { type Client, ServiceProblem } from './client.ts';
import { readPolicy } from './policy.ts';
import type { Store } from './store.ts';

/** A clock may differ by this much from the last contact without suspicion. */
const clockSlackMs = 300_000;

/** Often enough for a grace time of minutes, and rare enough to cost nothing. */
const noteEveryMs = 10_000;

/** Notes every contact with the service, and that it does not accept this agent any more. */
export function notingContact(client: Client, store: Store): Client {
  let noted = 0;
  const note = (write: () => void): void => {
    try {
      write();
    } catch {
      // A full disk: requests go on, and local search ends after the grace time.
    }
  };
  return {
    ...client,
    async send(method, path, options) {
      try {
        const answer = await client.send(method, path, options);
        if (Math.abs(Date.now() - noted) > noteEveryMs)
          note(() => {
            store.setMeta('last_contact', String(Date.now()));
            store.run("delete from meta where key = 'refused'");
            noted = Date.now();
          });
        return answer;
      } catch (error) {
        if (error instanceof ServiceProblem && (error.status === 401 || error.code === 'agent_revoked')) {
          note(() => store.setMeta('refused', error.message));
          noted = 0;
        }
        throw error;
      }
    },
  };
}

/** Null when it is allowed, otherwise why not. */
export function localAccessRefusal(store: Store, dataDir: string, now = Date.now()): string | null {
  const policy = readPolicy(dataDir)?.policy;
  if (!policy) return 'The service has not been reached yet.';
  if (!policy.local_access_enabled) return 'The service does not allow searches on this machine.';
  const refused = store.meta('refused');
  if (refused !== null) return `The service does not accept this machine any more: ${refused}`;
  const contact = Number(store.meta('last_contact') ?? Number.NaN);
  if (Number.isNaN(contact)) return 'The service has not been reached yet.';
  if (now < contact - clockSlackMs) return 'The clock of this machine was set back since the last contact with the service.';
  if (now - contact > policy.offline_grace_seconds * 1000)
    return `The service was reached last on ${new Date(contact).toISOString()}, which is longer ago than its rules allow.`;
  return null;
}
