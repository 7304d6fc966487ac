// HAProxy in front of several apps, with the shipped configuration on ports of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, until } from './service.mjs';

const shipped = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'deploy', 'proxy', 'haproxy.cfg');

/** Starts HAProxy for apps on these ports. `downs` lists which of them it considers down. */
export async function startBalancer(folder, ports) {
  if (spawnSync('haproxy', ['-v']).error) throw new Error('HAProxy is not installed (Debian: apt-get install haproxy).');
  const [port, socket, file] = [await freePort(), join(folder, 'haproxy.sock'), join(folder, 'haproxy.cfg')];
  writeFileSync(file, configuration(port, socket, ports));
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-4000)));
  let ended = false;
  const end = new Promise((resolve) =>
    child.once('exit', () => {
      ended = true;
      resolve();
    }),
  );
  const downs = async () => {
    if (ended) throw new Error(`HAProxy ended: ${output}`);
    return serversDown(await ask(socket, 'show stat'));
  };
  await until(async () => (await downs()).length === 0, 'HAProxy to find the apps', 60);
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    downs,
    async stop() {
      child.kill('SIGTERM');
      await end;
    },
  };
}

function configuration(port, socket, ports) {
  const text = readFileSync(shipped, 'utf8')
    .replace(/^global$/m, `global\n    stats socket ${socket}`)
    .replace(/^ {4}bind .*$/m, `    bind 127.0.0.1:${port}`)
    .replace(/^ {4}server app.*\n/gm, '');
  return `${text}${ports.map((each, at) => `    server app${at + 1} 127.0.0.1:${each}\n`).join('')}`;
}

function ask(socket, command) {
  return new Promise((resolve, reject) => {
    let text = '';
    connect(socket, function send() {
      this.write(`${command}\n`);
    })
      .setEncoding('utf8')
      .on('data', (more) => (text += more))
      .on('end', () => resolve(text))
      .on('error', reject);
  });
}

/** The lines of the servers of `show stat`, whose columns the first line names. */
function serversDown(csv) {
  const [head, ...lines] = csv.trim().split('\n');
  const columns = head.replace(/^# /, '').split(',');
  const servers = lines.map((line) => Object.fromEntries(line.split(',').map((value, at) => [columns[at], value])));
  return servers.filter(({ svname, status }) => /^app\d/.test(svname) && status !== 'UP').map(({ svname }) => svname);
}
