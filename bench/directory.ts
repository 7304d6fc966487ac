import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Attribute, Change, Client } from 'ldapts';
import { syncDirectories } from '../server/src/people/directory/sync.ts';
import { createLdapService } from '../server/src/people/providers/ldap/service.ts';
import { connect, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { silentLog } from '../server/src/platform/log/index.ts';
import { settingsForTests } from '../server/src/settings/index.ts';
import { hasSlapd, startSlapd } from '../server/test/slapd.ts';
import { startApp } from './api/service.ts';
import { perMinute, signInSteadily } from './directory/sign-ins.ts';
import type { Bench, Row } from './row.ts';

const base = 'dc=example,dc=org';
/** People for whom a sign-in without HTTP is measured. */
const signIns = 50;

/** The same password for everybody, hashed as OpenLDAP recommends. */
const hashed = (): string =>
  execFileSync('slappasswd', ['-o', 'module-path=/usr/lib/ldap', '-o', 'module-load=argon2', '-h', '{ARGON2}', '-s', 'hashed'], {
    encoding: 'utf8',
  }).trim();

/**
 * Reads 50,000 users and 5,000 nested groups of a real OpenLDAP server, then only the changes, and measures sign-ins against bare binds on
 * an open connection, with passwords that are hashed as OpenLDAP recommends. With passwords in plain text a bind costs nothing but its round
 * trip, while a sign-in needs two more to find the person and their groups.
 */
const bench: Bench = async ({ scale }) => {
  if (!hasSlapd) return { rows: [], notes: ['slapd is not installed, so the directory is not measured.'] };
  const users = Math.round(50_000 * scale);
  const groups = Math.max(2, Math.round(5000 * scale));
  const people = Math.max(signIns, Math.round((perMinute * scale) / 2));
  const slapd = await startSlapd(makeLdif(users, groups, people, hashed()), { modules: ['argon2'] });
  const folder = await mkdtemp(join(tmpdir(), 'bench-directory-'));
  const server = await startEmbedded({ folder: join(folder, 'postgres') });
  const { host, port, user, password, database: name } = server;
  const address = { host, port, user, password, database: name };
  const database = connect(address);
  let app: ChildProcess | null = null;
  try {
    await migrate(database.pool);
    const values = {
      SVC_LDAP_ENABLED: 'true',
      SVC_LDAP_SERVER: slapd.url,
      SVC_LDAP_BIND_DN: slapd.admin.dn,
      SVC_LDAP_BIND_PASSWORD: slapd.admin.password,
      SVC_LDAP_USER_BASE: `ou=people,${base}`,
      SVC_LDAP_GROUP_BASE: `ou=groups,${base}`,
      SVC_LDAP_USER_FILTER: '(uid={username})',
      SVC_LDAP_DIRECTORY_SYNC_ENABLED: 'true',
      SVC_LDAP_DIRECTORY_USER_FILTER: '(objectClass=inetOrgPerson)',
      SVC_LDAP_DIRECTORY_GROUP_FILTER: '(objectClass=groupOfNames)',
    };
    const deps = { db: database.db, settings: settingsForTests({ SVC_CONFIG_DIR: folder, ...values }), log: silentLog };
    const full = await withPeakMemory(() => timed(() => syncDirectories(deps, { full: true })));
    // The watermark lies a minute back, so the entries just loaded would all be read again.
    await database.pool.query(
      `update directory_sources set watermark = 'time:' || to_char(now() at time zone 'utc', 'YYYYMMDDHH24MISS') || 'Z'`,
    );
    await touch(slapd.url, slapd.admin, 20);
    const incremental = await timed(() => syncDirectories(deps, {}));
    const service = createLdapService(deps);
    const bare = new Client({ url: slapd.url });
    const measure = (prefix: string, password: (n: number) => string): Promise<number[]> =>
      latencies(
        (n) => bare.bind(`uid=${prefix}${n},ou=people,${base}`, password(n)),
        async (n) => {
          const answer = await service.verify(`${prefix}${n}`, password(n));
          if (answer.kind !== 'accepted') throw new Error(`${prefix}${n} was ${answer.kind}.`);
        },
      );
    const [bind = 0, verified = 0] = await measure('hash', () => 'hashed');
    const [plainBind = 0, plainSignIn = 0] = await measure('user', (n) => `pass${n}`);
    await bare.unbind();
    await service.close();
    const ratio = Math.round((verified / bind) * 100) / 100;
    const started = await startApp(address, folder, { ...process.env, BENCH_SETTINGS: JSON.stringify(values) });
    app = started.app;
    const steady = await signInSteadily({
      url: started.url,
      directory: slapd.url,
      people: Array.from({ length: people }, (_, n) => ({
        username: `hash${n}`,
        dn: `uid=hash${n},ou=people,${base}`,
        password: 'hashed',
      })),
    });
    const rows: Row[] = [
      row('full sync', full.result.seconds, 's', 60 * Math.max(scale, 0.1), `${full.result.result[0]?.read} objects`),
      row('memory of a full sync', full.mebibytes, 'MiB', 200, 'at most, above that before it'),
      row('incremental sync', incremental.seconds, 's', 2, `${incremental.result[0]?.read} objects read`),
      {
        name: 'password check and groups, p95',
        value: verified,
        unit: 'ms',
        peer: `bind alone ${bind} ms`,
        ratio,
        limit: 'at most 2 times',
        ok: ratio <= 2,
        detail: `${signIns} people one after the other, best of three; with passwords in plain text ${plainSignIn} ms, bind ${plainBind} ms`,
      },
      steady,
    ];
    return { rows };
  } finally {
    app?.kill();
    await database.close();
    await server.stop();
    await slapd.close();
    await rm(folder, { recursive: true, force: true });
  }
};
export default bench;

function row(name: string, value: number, unit: string, limit: number, detail: string): Row {
  return {
    name,
    value: Math.round(value * 100) / 100,
    unit,
    peer: '',
    ratio: null,
    limit: `at most ${limit} ${unit}`,
    ok: value <= limit,
    detail,
  };
}

/** The most resident memory while something runs, above that before it. */
async function withPeakMemory<T>(work: () => Promise<T>): Promise<{ result: T; mebibytes: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    const result = await work();
    return { result, mebibytes: (Math.max(most, process.memoryUsage.rss()) - before) / 2 ** 20 };
  } finally {
    clearInterval(sampler);
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const begun = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - begun) / 1000 };
}

/** The 95th percentiles of both in milliseconds, best of three turns each. They alternate, so that other load affects both. */
async function latencies(...works: ((n: number) => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map(() => [] as number[]);
  for (let n = 0; n < signIns; n++) {
    const best = works.map(() => Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < 3; turn++)
      for (const [at, work] of works.entries()) best[at] = Math.min(best[at] ?? 0, (await timed(() => work(n))).seconds * 1000);
    for (const [at, list] of times.entries()) list.push(best[at] ?? 0);
  }
  return times.map((list) => Math.round((list.sort((a, b) => a - b)[Math.floor(signIns * 0.95)] ?? 0) * 100) / 100);
}

async function touch(url: string, { dn, password }: { dn: string; password: string }, count: number): Promise<void> {
  const client = new Client({ url });
  await client.bind(dn, password);
  for (let n = 0; n < count; n++)
    await client.modify(
      `uid=user${n},ou=people,${base}`,
      new Change({ operation: 'replace', modification: new Attribute({ type: 'sn', values: ['Changed'] }) }),
    );
  await client.unbind();
}

/** Groups of ten people each; every group is a member of the one before it in chains of ten. */
function makeLdif(users: number, groups: number, hashedPeople: number, password: string): string {
  const lines = [
    `dn: ${base}\nobjectClass: dcObject\nobjectClass: organization\no: Example\n`,
    `dn: ou=people,${base}\nobjectClass: organizationalUnit\n`,
    `dn: ou=groups,${base}\nobjectClass: organizationalUnit\n`,
  ];
  for (let n = 0; n < users; n++)
    lines.push(
      `dn: uid=user${n},ou=people,${base}\nobjectClass: inetOrgPerson\nuid: user${n}\ncn: User ${n}\nsn: User\nmail: user${n}@example.org\nuserPassword: pass${n}\n`,
    );
  for (let n = 0; n < hashedPeople; n++)
    lines.push(
      `dn: uid=hash${n},ou=people,${base}\nobjectClass: inetOrgPerson\nuid: hash${n}\ncn: Hash ${n}\nsn: Hash\nuserPassword: ${password}\n`,
    );
  for (let n = 0; n < groups; n++) {
    const people = Array.from({ length: 10 }, (_, at) => `member: uid=user${(n * 10 + at) % users},ou=people,${base}`);
    if (n * 10 < hashedPeople) people.push(...Array.from({ length: 10 }, (_, at) => `member: uid=hash${n * 10 + at},ou=people,${base}`));
    const nested = n % 10 < 9 && n + 1 < groups ? [`member: cn=group${n + 1},ou=groups,${base}`] : [];
    lines.push(`dn: cn=group${n},ou=groups,${base}\nobjectClass: groupOfNames\ncn: group${n}\n${[...people, ...nested].join('\n')}\n`);
  }
  return lines.join('\n');
}
