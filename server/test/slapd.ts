import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';

const program = ['/usr/sbin/slapd', '/usr/lib/openldap/slapd'].find((file) => existsSync(file));

/** False where OpenLDAP is not installed; `npm test` installs it on Debian as root and otherwise reports the skip. */
export const hasSlapd = program !== undefined && existsSync('/usr/lib/ldap/back_mdb.so');

export interface Slapd {
  url: string;
  tlsUrl: string;
  /** The certificate authority of the server, in PEM format. */
  ca: string;
  caFile: string;
  base: string;
  admin: { dn: string; password: string };
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/**
 * A real OpenLDAP server on free loopback ports with the given entries. Without the check, entries of Active Directory load as well.
 * Modules are additional ones, such as argon2 for hashed passwords.
 */
export async function startSlapd(
  ldif: string,
  { checkSchema = true, modules = [] }: { checkSchema?: boolean; modules?: readonly string[] } = {},
): Promise<Slapd> {
  if (!program) throw new Error('slapd is not installed.');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-slapd-'));
  mkdirSync(path.join(folder, 'db'));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const file = (name: string): string => path.join(folder, name);
  makeCertificates(folder);
  const base = 'dc=example,dc=org';
  const admin = { dn: `cn=service,${base}`, password: 'service password' };
  writeFileSync(
    file('slapd.conf'),
    [
      ...['core', 'cosine', 'inetorgperson', 'nis', 'msuser'].map((name) => `include /etc/ldap/schema/${name}.schema`),
      'modulepath /usr/lib/ldap',
      ...['back_mdb', ...modules].map((name) => `moduleload ${name}`),
      `pidfile ${file('slapd.pid')}`,
      `TLSCertificateFile ${file('server.pem')}`,
      `TLSCertificateKeyFile ${file('server.key')}`,
      'TLSVerifyClient never',
      'sizelimit unlimited',
      'database mdb',
      `suffix "${base}"`,
      `rootdn "${admin.dn}"`,
      `rootpw "${admin.password}"`,
      `directory ${file('db')}`,
      'maxsize 1073741824',
      'index objectClass,uid,member,entryUUID,modifyTimestamp eq',
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by users read by anonymous none',
      '',
    ].join('\n'),
  );
  writeFileSync(file('data.ldif'), ldif);
  execFileSync(program, ['-T', 'add', '-q', ...(checkSchema ? [] : ['-s']), '-f', file('slapd.conf'), '-l', file('data.ldif')], {
    stdio: 'pipe',
  });

  let child: ReturnType<typeof spawn> | null = null;
  async function start(): Promise<void> {
    child = spawn(program!, ['-f', file('slapd.conf'), '-h', `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`, '-d', '0'], {
      stdio: 'ignore',
    });
    for (let attempt = 0; attempt < 200; attempt++) {
      const open = await new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.once('error', () => resolve(false));
      });
      if (open) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('slapd did not start.');
  }
  async function stop(): Promise<void> {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.kill('SIGTERM');
    });
  }
  await start();
  return {
    url: `ldap://127.0.0.1:${port}`,
    tlsUrl: `ldaps://127.0.0.1:${tlsPort}`,
    ca: execFileSync('cat', [file('ca.pem')], { encoding: 'utf8' }),
    caFile: file('ca.pem'),
    base,
    admin,
    start,
    stop,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A certificate authority and a certificate for an address. */
export function makeCertificates(folder: string, address = '127.0.0.1'): void {
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test CA', '-days', '2');
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'server.key', '-out', 'server.csr', '-subj', `/CN=${address}`);
  writeFileSync(path.join(folder, 'san'), `subjectAltName=IP:${address}`);
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-CAcreateserial',
    '-out',
    'server.pem',
    '-days',
    '2',
    '-extfile',
    'san',
  );
}
