import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { makeCertificates } from './slapd.ts';

/** Its ports are fixed and below 1024, so it needs root. `npm test` installs it on Debian as root and otherwise reports the skip. */
export const hasSamba =
  process.getuid?.() === 0 &&
  existsSync('/usr/sbin/samba') &&
  existsSync('/usr/bin/samba-tool') &&
  existsSync('/usr/share/samba/setup/provision.ldif');

export interface Samba {
  url: string;
  /** The certificate authority of the server, in PEM format. */
  ca: string;
  base: string;
  admin: { dn: string; password: string };
  close(): Promise<void>;
}

const realm = 'AD.TEST';
const password = 'Administrator-Passw0rd';

/** A real Active Directory domain controller with an empty domain, on a loopback address of its own. */
export async function startSamba(): Promise<Samba> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-samba-'));
  const file = (name: string): string => path.join(folder, name);
  const address = `127.${77 + (process.pid % 100)}.${(process.pid >> 8) % 256}.77`;
  const network = [`interfaces = ${address}/8`, 'bind interfaces only = yes'];
  execFileSync(
    'samba-tool',
    [
      ...[
        'domain',
        'provision',
        `--targetdir=${folder}`,
        `--realm=${realm}`,
        '--domain=ADT',
        `--adminpass=${password}`,
        '--server-role=dc',
      ],
      ...['--dns-backend=NONE', '--host-name=dc1', `--host-ip=${address}`],
      ...network.map((line) => `--option=${line.replace(' = ', '=')}`),
    ],
    { stdio: 'pipe' },
  );
  mkdirSync(file('certificates'));
  makeCertificates(file('certificates'), address);
  chmodSync(file('certificates/server.key'), 0o600);
  mkdirSync(file('run'));
  writeFileSync(
    file('smb.conf'),
    [
      '[global]',
      ...network,
      `realm = ${realm}`,
      'workgroup = ADT',
      'netbios name = DC1',
      'server role = active directory domain controller',
      'server services = ldap',
      `private dir = ${file('private')}`,
      `state directory = ${file('state')}`,
      ...['lock', 'cache', 'pid', 'ncalrpc'].map((name) => `${name === 'ncalrpc' ? 'ncalrpc dir' : `${name} directory`} = ${file('run')}`),
      `winbindd socket directory = ${file('run')}`,
      `ntp signd socket directory = ${file('run')}`,
      `log file = ${file('log')}`,
      'tls enabled = yes',
      `tls keyfile = ${file('certificates/server.key')}`,
      `tls certfile = ${file('certificates/server.pem')}`,
      `tls cafile = ${file('certificates/ca.pem')}`,
      '',
    ].join('\n'),
  );
  // With a pipe as standard input it ends with this process.
  const child = spawn('samba', ['-i', '-M', 'single', '-s', file('smb.conf')], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 400 && child.exitCode === null; attempt++) {
    if (await accepts(address))
      return {
        url: `ldaps://${address}`,
        ca: readFileSync(file('certificates/ca.pem'), 'utf8'),
        base: 'DC=ad,DC=test',
        admin: { dn: 'CN=Administrator,CN=Users,DC=ad,DC=test', password },
        close,
      };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const log = existsSync(file('log')) ? readFileSync(file('log'), 'utf8').slice(-500) : '';
  await close();
  throw new Error(`Samba did not start. ${log}`);
}

function accepts(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(636, address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
