#!/usr/bin/env node
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir, filesIn, readConfig } from './config.ts';
import { diagnose } from './doctor.ts';
import { enrol, readInstallerFile } from './enrol.ts';
import { healthOf } from './health.ts';
import { localAccessRefusal } from './local-access.ts';
import { readPageAddress } from './local-page.ts';
import { fetchPolicy, readPolicy } from './policy.ts';
import { pushAll } from './push.ts';
import { runAgent } from './run.ts';
import { lockRun } from './run-lock.ts';
import { closeAgent, openAgent, readAll, reconcileRoots, scanAll } from './running.ts';
import { searchLocal } from './search.ts';
import { installService, serviceDefinition } from './service.ts';
import { unpackKoffi } from './single-file-koffi.ts';
import { countStart, restartCode } from './update.ts';
import { currentProgram, programWords, version } from './version.ts';

const usage = `Reports the files of this machine to a catalog.

  catalog-agent enrol --url URL --token TOKEN --root FOLDER [--root FOLDER …] [--name NAME]
  catalog-agent enrol --from FILE --root FOLDER [--root FOLDER …]   with the file that the service made for this machine
  catalog-agent run                scan, send and stay connected
  catalog-agent scan               scan all folders once
  catalog-agent push               send what waits to be sent
  catalog-agent reconcile          compare the index with the service and correct what differs there
  catalog-agent install-service    start the agent with the machine (systemd, launchd, Task Scheduler); --print only shows how
  catalog-agent read               read the contents of files that wait for it
  catalog-agent search WORDS       find files of this machine by name, if the service allows it
  catalog-agent page               print the address of the search page on this machine
  catalog-agent status             what the agent knows, as JSON
  catalog-agent doctor             check everything and say what is wrong
  catalog-agent version

  --data-dir FOLDER                where key, settings and index are kept (default: ${defaultDataDir()})
`;

const sleep = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      token: { type: 'string' },
      root: { type: 'string', multiple: true },
      name: { type: 'string' },
      from: { type: 'string' },
      'data-dir': { type: 'string' },
      print: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
  const [command = values.version ? 'version' : 'help', ...words] = values.help ? ['help'] : positionals;
  const dataDir = path.resolve(values['data-dir'] ?? defaultDataDir());
  if (command === 'version') {
    say(version);
    return 0;
  }
  if (command === 'enrol') {
    const { root = [] } = values;
    const { url, token, name } = { ...(values.from === undefined ? {} : readInstallerFile(values.from)), ...values };
    if (!url || !token || root.length === 0) {
      process.stderr.write('Give --url and --token, or --from, and at least one --root.\n');
      return 2;
    }
    const config = await enrol({ url, token, roots: root.map((each) => path.resolve(each)), name, dataDir }, sleep);
    say(`Enrolled as "${config.name}". Start it with: catalog-agent run`);
    return 0;
  }
  if (command === 'doctor') {
    const findings = await diagnose(dataDir);
    for (const { ok, text } of findings) say(`${ok ? 'ok     ' : 'PROBLEM'}  ${text}`);
    return findings.every(({ ok }) => ok) ? 0 : 1;
  }
  if (command === 'install-service') {
    const definition = serviceDefinition(process.platform, { program: programWords(), dataDir });
    if (values.print) process.stdout.write(`${definition.file}\n\n${definition.text}`);
    else installService(definition);
    return 0;
  }
  if (!['run', 'scan', 'read', 'push', 'reconcile', 'search', 'page', 'status'].includes(command)) {
    if (command === 'help') process.stdout.write(usage);
    else process.stderr.write(`Unknown command "${command}".\n\n${usage}`);
    return command === 'help' ? 0 : 2;
  }
  const config = readConfig(dataDir);
  if (!config)
    throw new Error(`This machine is not enrolled (${filesIn(dataDir).config} does not exist). Run "catalog-agent enrol" first.`);
  // Held until the process ends.
  if (command === 'run') lockRun(dataDir);
  const program = currentProgram();
  if (command === 'run' && program && countStart(dataDir, program)) {
    say(`Version ${program.version} did not work. The version before was put back.`);
    return restartCode;
  }
  const agent = openAgent(config, dataDir, (line) => say(`${new Date().toISOString()}  ${line}`));
  try {
    if (command === 'run' || command === 'scan') {
      const obstacle = await unpackKoffi(dataDir);
      if (obstacle !== null) agent.log(`Access lists cannot be read. ${obstacle}`);
    }
    if (command === 'status') say(JSON.stringify({ agent_id: config.agentId, version, ...(await healthOf(agent)) }, null, 2));
    else if (command === 'push') say(`Sent ${await pushAll(agent.store, agent.client, { wait: sleep })} changes.`);
    else if (command === 'reconcile') say(JSON.stringify(await reconcileRoots(agent, config.roots)));
    else if (command === 'search') search(agent, words.join(' '));
    else if (command === 'page') showPage(agent);
    else if (command === 'scan' || command === 'read') {
      const { policy } = readPolicy(dataDir) ?? (await fetchPolicy(agent.client, dataDir));
      if (command === 'scan') await scanAll(agent, policy);
      else say(`Read ${await readAll(agent, policy, new AbortController().signal)} files.`);
    } else {
      const stop = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
      if ((await runAgent(agent, stop, program)) === 'replaced') return restartCode;
    }
  } finally {
    closeAgent(agent);
  }
  return 0;
}

type Opened = ReturnType<typeof openAgent>;

function requireLocalAccess({ store, dataDir }: Opened): void {
  const refusal = localAccessRefusal(store, dataDir);
  if (refusal !== null) throw new Error(`Files cannot be searched on this machine. ${refusal}`);
}

function search(agent: Opened, query: string): void {
  requireLocalAccess(agent);
  for (const { path: file, size, modified } of searchLocal(agent.store, query, 1000))
    say(`${modified}  ${String(size).padStart(14)}  ${file}`);
}

function showPage(agent: Opened): void {
  requireLocalAccess(agent);
  const address = readPageAddress(agent.dataDir);
  if (address === null) throw new Error('The page is not open. The service must allow it, and the agent must run.');
  say(address);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS') ? 2 : 1;
}
