#!/usr/bin/env node
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir, filesIn, readConfig } from './config.ts';
import { diagnose } from './doctor.ts';
import { enrol } from './enrol.ts';
import { healthOf } from './health.ts';
import { fetchPolicy, readPolicy } from './policy.ts';
import { pushAll } from './push.ts';
import { openAgent, reconcileRoots, runAgent, scanAll } from './run.ts';
import { installService, serviceDefinition } from './service.ts';
import { countStart, restartCode } from './update.ts';
import { currentProgram, programWords, version } from './version.ts';

const usage = `Reports the files of this machine to a catalog.

  catalog-agent enrol --url URL --token TOKEN --root FOLDER [--root FOLDER …] [--name NAME]
  catalog-agent run                scan, send and stay connected
  catalog-agent scan               scan all folders once
  catalog-agent push               send what waits to be sent
  catalog-agent reconcile          compare the index with the service and correct what differs there
  catalog-agent install-service    start the agent with the machine (systemd, launchd, Task Scheduler); --print only shows how
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
      'data-dir': { type: 'string' },
      print: { type: 'boolean' },
    },
  });
  const [command = 'help'] = positionals;
  const dataDir = path.resolve(values['data-dir'] ?? defaultDataDir());
  if (command === 'version') {
    say(version);
    return 0;
  }
  if (command === 'enrol') {
    const { url, token, root = [] } = values;
    if (!url || !token || root.length === 0) throw new Error('Give --url, --token and at least one --root.');
    const config = await enrol({ url, token, roots: root.map((each) => path.resolve(each)), name: values.name, dataDir }, sleep);
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
  if (!['run', 'scan', 'push', 'reconcile', 'status'].includes(command)) {
    process.stdout.write(usage);
    return command === 'help' ? 0 : 2;
  }
  const config = readConfig(dataDir);
  if (!config)
    throw new Error(`This machine is not enrolled (${filesIn(dataDir).config} does not exist). Run "catalog-agent enrol" first.`);
  const program = currentProgram();
  if (command === 'run' && program && countStart(dataDir, program)) {
    say(`Version ${program.version} did not work. The version before was put back.`);
    return restartCode;
  }
  const agent = openAgent(config, dataDir, (line) => say(`${new Date().toISOString()}  ${line}`));
  try {
    if (command === 'status') say(JSON.stringify({ agent_id: config.agentId, version, ...healthOf(agent) }, null, 2));
    else if (command === 'push') say(`Sent ${await pushAll(agent.store, agent.client, { wait: sleep })} changes.`);
    else if (command === 'reconcile') say(JSON.stringify(await reconcileRoots(agent, config.roots)));
    else if (command === 'scan') await scanAll(agent, (readPolicy(dataDir) ?? (await fetchPolicy(agent.client, dataDir))).policy);
    else {
      const stop = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
      if ((await runAgent(agent, stop, program)) === 'replaced') return restartCode;
    }
  } finally {
    agent.store.close();
  }
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
