import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { createClient, ServiceProblem } from './client.ts';
import { filesIn, readConfig } from './config.ts';
import { aclObstacle } from './inventory-collectors.ts';
import { type Policy, readPolicy } from './policy.ts';
import { metering, powerSource } from './power.ts';
import { loadReaders } from './readers-package.ts';
import { unpackKoffi } from './single-file-koffi.ts';
import { openStore } from './store.ts';

type Report = (ok: boolean, good: string, bad: string) => boolean;
const dayMs = 86_400_000;
export const cloneAdvice =
  'If the disk of this machine was copied, stop one of the two machines, remove its data folder and enrol it again.';

/** One finding in words. `ok` findings are printed too, so that the reader knows what was checked. */
export interface Finding {
  ok: boolean;
  text: string;
}

/** Checks everything the agent needs, and says what to do about what is wrong. */
export async function diagnose(dataDir: string): Promise<Finding[]> {
  const found: Finding[] = [];
  const report: Report = (ok, good, bad) => {
    found.push({ ok, text: ok ? good : bad });
    return ok;
  };
  const config = readConfig(dataDir);
  if (!config) {
    report(
      false,
      '',
      `This machine is not enrolled: ${filesIn(dataDir).config} does not exist. Run "catalog-agent enrol" with a token from the console.`,
    );
    return found;
  }
  report(true, `Enrolled as "${config.name}" at ${config.centralUrl}.`, '');
  const { key, certificate, index } = filesIn(dataDir);
  if (!report(existsSync(key), 'The key is present.', `The key ${key} is missing. Enrol this machine again.`)) return found;
  report(
    process.platform === 'win32' || (statSync(key).mode & 0o077) === 0,
    'Only this user can read the key.',
    `Other users can read the key. Run: chmod 600 ${key}`,
  );
  if (existsSync(certificate)) {
    const { validToDate } = new X509Certificate(readFileSync(certificate, 'utf8'));
    report(
      validToDate.getTime() > Date.now(),
      `The certificate is valid until ${validToDate.toISOString()}.`,
      `The certificate expired on ${validToDate.toISOString()}. It is renewed when the service can be reached.`,
    );
  }
  for (const root of config.roots) report(...checkRoot(root));
  try {
    const store = openStore(index);
    try {
      report(
        store.isSound(),
        'The local index is sound.',
        `The local index ${index} is damaged. Stop the agent and delete it; all files are read again.`,
      );
      const pending = store.pending();
      report(true, pending === 0 ? 'Everything has been sent.' : `${pending} changes wait to be sent.`, '');
      const foreign = store.meta('foreign_numbers');
      if (foreign !== null)
        report(
          Date.now() - Date.parse(foreign) > dayMs,
          `The service had changes that this machine did not send, last on ${foreign}. All files were reported again.`,
          `On ${foreign} the service had changes that this machine did not send. If its disk was copied to another machine, enrol that one again; after a restored backup this is normal.`,
        );
      const cloned = store.meta('clone_seen');
      if (cloned !== null)
        report(
          Date.now() - Date.parse(cloned) > dayMs,
          `Another program used the identity of this agent on ${cloned}, but not since then.`,
          `Another program uses the identity of this agent, last seen on ${cloned}. ${cloneAdvice}`,
        );
      if (store.meta('clone_held') !== null)
        report(
          false,
          '',
          'Nothing is sent, because two machines use the identity of this agent. An administrator has to choose in the console which one keeps it.',
        );
      for (const { path, last_error } of store.all<{ path: string; last_error: string | null }>(
        'select path, last_error from roots where last_error is not null',
      ))
        report(false, '', `The last scan of ${path} stopped. ${last_error}`);
    } finally {
      store.close();
    }
  } catch (error) {
    report(
      false,
      '',
      `The local index ${index} cannot be opened (${(error as Error).message}). Free disk space, or check its permissions.`,
    );
  }
  report(
    readPolicy(dataDir) !== null,
    'The rules of the service are known.',
    'The service has not been reached yet, so nothing is scanned.',
  );
  await checkRules(readPolicy(dataDir)?.policy, dataDir, report);
  await checkAccess(readPolicy(dataDir)?.policy, dataDir, report);
  await checkService(config, dataDir, report);
  return found;
}

function checkRoot(root: string): [boolean, string, string] {
  if (!existsSync(root)) return [false, '', `The folder ${root} does not exist. Connect its disk, or correct the path in agent.json.`];
  try {
    accessSync(root, constants.R_OK | constants.X_OK);
    return [true, `The folder ${root} can be read.`, ''];
  } catch {
    return [false, '', `The folder ${root} cannot be read by this user. Give it permission, or run the agent as another user.`];
  }
}

/** Readers are loaded as the agent would load them. Where the system cannot isolate them, that is said but is no problem. */
async function checkReaders({ extract_ocr, ocr_lang }: Policy, dataDir: string, report: Report): Promise<void> {
  try {
    const { extractors, sandboxReport, ocrObstacle } = await loadReaders(dataDir);
    const missing = (await sandboxReport()).filter(({ active }) => !active);
    report(true, `Contents of files are read, with ${extractors.length} readers.`, '');
    for (const { title, reason, effect } of missing)
      report(true, `Readers run without one layer of protection. ${title}: ${reason}. ${effect}`, '');
    const obstacle = extract_ocr ? await ocrObstacle(ocr_lang) : null;
    if (extract_ocr)
      report(
        obstacle === null,
        `Text in pictures is recognised, in the language "${ocr_lang}".`,
        `The rules ask for text in pictures, but it cannot be recognised here: ${obstacle} Install tesseract with the data of its languages.`,
      );
  } catch (error) {
    report(
      false,
      '',
      `The rules ask for contents of files, but the readers of this program cannot be used: ${causeOf(error)}. Free disk space, or install the program again.`,
    );
  }
}

/** What cannot be told here is no problem: the service says so with each file. */
async function checkAccess(policy: Policy | undefined, dataDir: string, report: Report): Promise<void> {
  const reason = (await unpackKoffi(dataDir)) ?? '';
  const obstacle = aclObstacle();
  const lists = obstacle === null ? 'Access lists of files can be read.' : `${obstacle} ${reason}`.trim();
  if (process.platform === 'linux' || policy?.record_permissions) report(true, lists, '');
  if (!policy?.record_permissions) return;
  const told = obstacle === null ? 'Owner, group, mode and access list' : 'Owner, group and mode';
  report(
    true,
    process.platform === 'win32' ? 'Who may use files is not reported from Windows.' : `${told} of files and folders are reported.`,
    '',
  );
}

/** Rules of the service that this machine cannot follow, or that hold it back now. */
async function checkRules(policy: Policy | undefined, dataDir: string, report: Report): Promise<void> {
  if (policy?.extract_enabled) await checkReaders(policy, dataDir, report);
  if (policy?.pause_on_battery) {
    const power = await powerSource();
    if (power === 'unknown') report(true, 'This system does not say whether it runs on battery, so the agent does not pause for it.', '');
    else
      report(
        true,
        power === 'battery'
          ? 'The machine runs on battery: nothing is scanned or sent until it is plugged in.'
          : 'The machine is plugged in.',
        '',
      );
  }
  if (policy?.pause_on_metered) {
    const meter = await metering();
    if (meter === 'unknown') report(true, 'This system does not say whether the connection is metered, so changes are sent over any.', '');
    else
      report(
        true,
        meter === 'metered' ? 'The connection is metered: changes are sent over another one.' : 'The connection is not metered.',
        '',
      );
  }
}

async function checkService(config: NonNullable<ReturnType<typeof readConfig>>, dataDir: string, report: Report): Promise<void> {
  const client = createClient(config, dataDir);
  try {
    await client.send('GET', '/policy', { timeoutSeconds: 10 });
    report(true, 'The service answers and accepts this agent.', '');
    const offset = Math.round(client.clockOffset());
    report(
      Math.abs(offset) < 60,
      'The clock agrees with the service.',
      `The clock differs from the service by ${offset} seconds. Set the time of this machine.`,
    );
  } catch (error) {
    if (error instanceof ServiceProblem) report(false, '', `The service refused this agent: ${error.message}`);
    else report(false, '', error instanceof Error ? error.message : String(error));
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
