/**
 * The built-in authority, used when SVC_CA_URL is not set. Its root is a file in the config folder, and the database holds the fingerprint:
 *
 * none      nothing is stored: the first use creates the root and stores its fingerprint.
 * match     the file is the root on record.
 * missing   a fingerprint is on record, but there is no file. No new root is made, because every certificate issued before would be void.
 * mismatch  the file is another root.
 *
 * `missing` and `mismatch` end when the file is restored from a backup, or when the fingerprint is cleared and all agents enrol again.
 */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { type AuthorityRoot, createRoot, fingerprintOf } from './certificates.ts';

const stateKey = 'agent_ca_fingerprint';

interface AuthorityState {
  state: 'none' | 'match' | 'missing' | 'mismatch';
  stored: string | null;
  configured: string | null;
  /** What is wrong and what to do next; null when nothing is. */
  message: string | null;
}

function rootFile({ configDir }: Pick<Settings, 'configDir'>): string {
  return path.join(configDir, 'agent-ca.pem');
}

/** The key and the certificate in one file. */
function readRoot(settings: Pick<Settings, 'configDir'>): AuthorityRoot | null {
  const file = rootFile(settings);
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  const part = (label: string): string => text.match(new RegExp(`-----BEGIN ${label}-----[^]+?-----END ${label}-----\n`))?.[0] ?? '';
  const root = { keyPem: part('PRIVATE KEY'), certificatePem: part('CERTIFICATE') };
  return root.keyPem && root.certificatePem ? root : null;
}

function writeRoot(settings: Pick<Settings, 'configDir'>, root: AuthorityRoot): void {
  const file = rootFile(settings);
  mkdirSync(path.dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, `${root.keyPem}${root.certificatePem}`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  chmodSync(partial, 0o600);
  renameSync(partial, file);
}

/** The first 16 digits, as for the secret key. */
const short = (fingerprint: string): string => fingerprint.slice(0, 16).toLowerCase();

async function storedFingerprint(db: Db): Promise<string | null> {
  const { rows } = await sql<{ value: string }>`select value #>> '{}' as value from service_state where key = ${stateKey}`.execute(db);
  return rows[0]?.value ?? null;
}

async function stampFingerprint(db: Db, value: string): Promise<void> {
  await sql`insert into service_state (key, value) values (${stateKey}, to_jsonb(${value}::text)) on conflict (key) do nothing`.execute(db);
}

/** Compares without storing anything. An external authority is known by SVC_CA_FINGERPRINT. */
export async function checkAuthority(db: Db, settings: Settings): Promise<AuthorityState> {
  const stored = await storedFingerprint(db);
  const root = settings.caUrl === undefined ? readRoot(settings) : null;
  const external = settings.caUrl !== undefined ? settings.caFingerprint : undefined;
  const configured = root ? short(fingerprintOf(root.certificatePem)) : external ? short(external) : null;
  if (stored === null) return { state: 'none', stored, configured, message: null };
  if (configured === stored) return { state: 'match', stored, configured, message: null };
  const fix = 'Restore it from a backup. Until then no certificate is issued, and certificates of agents cannot be checked.';
  if (configured === null)
    return {
      state: 'missing',
      stored,
      configured,
      message: `The root of the certificate authority for agents (fingerprint ${stored}) is missing. ${fix}`,
    };
  return {
    state: 'mismatch',
    stored,
    configured,
    message: `The root of the certificate authority for agents (fingerprint ${configured}) is not the one that issued the certificates (fingerprint ${stored}). ${fix}`,
  };
}

/** The root of the built-in authority, created at its first use. */
export async function requireRoot(db: Db, settings: Settings, now: Date): Promise<AuthorityRoot> {
  const known = readRoot(settings);
  const stored = await storedFingerprint(db);
  if (known && stored === short(fingerprintOf(known.certificatePem))) return known;
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('agent certificate authority', 0))`.execute(tx);
    const { state, message } = await checkAuthority(tx as Db, settings);
    if (state === 'missing' || state === 'mismatch') throw problem('agent_authority_unusable', message ?? undefined);
    // A file without a record is left from an earlier database; certificates of that installation stay valid.
    const root = readRoot(settings) ?? createRoot(now);
    if (state === 'none') {
      writeRoot(settings, root);
      await stampFingerprint(tx as Db, short(fingerprintOf(root.certificatePem)));
    }
    return root;
  });
}

/** At the start of the app: records an external root, and returns what is wrong with the root. */
export async function reportAuthority(db: Db, settings: Settings): Promise<string | null> {
  const { state, configured, message } = await checkAuthority(db, settings);
  if (state === 'none' && configured !== null && settings.caUrl !== undefined) await stampFingerprint(db, configured);
  return message;
}
