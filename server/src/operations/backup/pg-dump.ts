import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { DatabaseAddress } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { BundlePart } from './manifest.ts';

/**
 * A dump in PostgreSQL's own format beside the rows of the bundle, for people who restore with pg_restore. `catalog restore` does not need it.
 * It is made where a pg_dump of the server's major version or newer is found.
 */
export const dumpPart = 'files/database.dump';

const run = promisify(execFile);

interface Program {
  file: string;
  major: number;
}

/** Null when there is none that can read the server. Throws when SVC_PG_DUMP names one that cannot: the operator expects the dump. */
export async function findPgDump({ pgDump }: Pick<Settings, 'pgDump'>, serverMajor: number): Promise<Program | null> {
  const file = pgDump ?? 'pg_dump';
  let major: number;
  try {
    const { stdout } = await run(file, ['--version'], { timeout: 10_000 });
    major = Number(/(\d+)(\.\d+|devel|beta|rc)/.exec(stdout)?.[1]);
  } catch (error) {
    if (pgDump === undefined) return null;
    throw new Error(`SVC_PG_DUMP cannot be started (${(error as Error).message.trim()}). Correct the path, or unset it to go without.`);
  }
  if (major >= serverMajor) return { file, major };
  if (pgDump === undefined) return null;
  throw new Error(
    `SVC_PG_DUMP is version ${major}, but the database server is version ${serverMajor}. An older pg_dump cannot read a newer server: install version ${serverMajor}, or unset SVC_PG_DUMP to go without.`,
  );
}

/** Writes the dump of the same snapshot as the rows. The password goes through the environment, where other users cannot see it. */
export async function writeDump(
  program: Program,
  folder: string,
  { address, snapshot, signal }: { address: DatabaseAddress; snapshot: string; signal: AbortSignal },
): Promise<BundlePart> {
  const file = path.join(folder, dumpPart);
  const args = ['--format=custom', '--compress=1', '--no-owner', `--snapshot=${snapshot}`, `--file=${file}`];
  const child = spawn(program.file, args, {
    env: { PATH: process.env['PATH'], ...connectionVariables(address) },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = `${output}${text}`.slice(-2000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`pg_dump failed with code ${code}: ${output.trim()}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), hash, { signal });
  return { name: dumpPart, bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

/** The address in the variables that PostgreSQL's programs read. */
export function connectionVariables(address: DatabaseAddress): Record<string, string> {
  if (address.connectionString !== undefined) return variablesOfUrl(new URL(address.connectionString));
  const { host, port, user, password, database } = address;
  return defined({ PGHOST: host, PGPORT: port?.toString(), PGUSER: user, PGPASSWORD: password, PGDATABASE: database });
}

const parameterVariables = {
  host: 'PGHOST',
  port: 'PGPORT',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
};

function variablesOfUrl(url: URL): Record<string, string> {
  const variables: Record<string, string> = {
    PGHOST: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    PGPORT: url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
  };
  for (const [parameter, variable] of Object.entries(parameterVariables)) {
    const value = url.searchParams.get(parameter);
    // pg calls "do not check the certificate" no-verify; PostgreSQL's programs call it require.
    if (value !== null) variables[variable] = value === 'no-verify' ? 'require' : value;
  }
  return defined(variables);
}

/** Without values that are missing or empty, for which the programs have defaults. */
const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));
