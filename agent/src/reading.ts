/**
 * Reads facts and text from files after they have been scanned, one at a time and at low priority, in the sandbox of the readers. A file waits
 * in the table `unread` from the transaction that stored it until the transaction that writes what was read into the outbox, so a kill at
 * any point only means that it is read again. Bytes that the same reader has read before are not read again, also after a move, unless the
 * reader takes facts from the name and the file has another one now.
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ReplicatedExtraction } from '@catalog/protocol';
import type { ExtractOutcome, FileJob, SandboxPool } from '@catalog/readers';
import type { Client } from './client.ts';
import { awaitDrawing, drawSome, extensionOf, hasUndrawn, startDrawing } from './drawing.ts';
import { fitExtraction } from './fit-extraction.ts';
import { findTools } from './host-tools.ts';
import type { Pace } from './pace.ts';
import { type Policy, readPolicy } from './policy.ts';
import { loadReaders, type Readers } from './readers-package.ts';
import { findOcrObstacle, ocrKey, ocrRulesOf, startRecognising } from './recognising.ts';
import { requireInside } from './roots.ts';
import { entryOf, type FileRow, type Store } from './store.ts';
import { extractorOf, readTaxonomy, type Taxonomy } from './taxonomy.ts';

type UnreadFile = FileRow & { root: string; read_key: string | null };

const filesAtOnce = 16;

export interface FileReader {
  /** Reads some of the files that wait. Returns how many were done; 0 when none wait or reading is off. */
  readSome(policy: Policy, signal: AbortSignal): Promise<number>;
  /** Draws thumbnails of some of the files that wait for it, and sends them. Returns how many were done. */
  drawSome(policy: Policy, client: Client, signal: AbortSignal): Promise<number>;
  /** The readers and the programs that they use; empty while nothing has to be read. */
  abilities(): Promise<Record<string, unknown>>;
  close(): void;
}

export function createFileReader(store: Store, dataDir: string, pace: Pace, log: (line: string) => void): FileReader {
  let readers: Promise<Readers | null> | undefined;
  let pool: SandboxPool | undefined;
  const close = (): void => {
    pool?.close();
    pool = undefined;
  };
  /** Loaded only when the policy asks for it, because the formats take memory. */
  const load = (): Promise<Readers | null> => {
    readers ??= loadReaders(dataDir).catch((error: unknown) => {
      log(`This program cannot read contents of files: ${error instanceof Error ? error.message : String(error)}`);
      return null;
    });
    return readers;
  };
  const openPool = async (loaded: Readers): Promise<SandboxPool> => {
    loaded.hideFromReaders([dataDir]);
    await loaded.prepareSandbox();
    const { sniffTaskModule: sniff, thumbTaskModule: thumb, ocrTaskModule: ocr } = loaded;
    pool ??= loaded.createSandboxPool({ size: 1, tasks: { sniff, thumb, ocr } });
    return pool;
  };
  return {
    close,
    async drawSome(policy, client, signal) {
      const loaded = policy.extract_enabled ? await load() : null;
      startDrawing(store, loaded, policy);
      if (loaded === null || !hasUndrawn(store)) return 0;
      return drawSome(store, client, { readers: loaded, pool: await openPool(loaded), policy, pace, signal });
    },
    async abilities() {
      const loaded = await readers;
      if (!loaded) return {};
      const policy = readPolicy(dataDir)?.policy;
      const obstacle = policy?.extract_ocr ? await findOcrObstacle(loaded, policy) : undefined;
      return {
        extractors: loaded.extractors.map(({ name, version }) => `${name}@${version}`),
        tools: await findTools(loaded),
        // Only where it is asked for.
        ...(obstacle === undefined ? {} : { ocr: { available: obstacle === null, reason: obstacle } }),
      };
    },
    async readSome(policy, signal) {
      if (!policy.extract_enabled) {
        if (store.meta('reading') !== null) stopReading(store);
        close();
        return 0;
      }
      const loaded = await load();
      if (loaded === null) return 0;
      const taxonomy = readTaxonomy(dataDir);
      startReading(store, loaded, policy, taxonomy.version);
      startRecognising(store, loaded, policy, policy.extract_ocr ? await findOcrObstacle(loaded, policy) : null);
      const files = nextFiles(store);
      if (files.length === 0) return 0;
      const opened = await openPool(loaded);
      for (const file of files) {
        await pace.turn(policy, signal);
        const started = performance.now();
        await readFile(store, { readers: loaded, pool: opened, policy, taxonomy, signal }, file);
        pace.add(performance.now() - started);
      }
      return files.length;
    },
  };
}

/** Files of all roots wait to be read when reading begins, and when readers or rules have changed. */
function startReading(store: Store, { extractors }: Readers, policy: Policy, taxonomyVersion: number): void {
  const versions = extractors.map(({ name, version }) => `${name}@${version}`).join(' ');
  const stamp = `${rulesOf(policy)} ${taxonomyVersion} ${versions}`;
  if (store.meta('reading') === stamp) return;
  store.transaction(() => {
    store.setMeta('reading', stamp);
    store.run(`insert or ignore into unread (root, dir, name)
      select root, dir, name from files where symlink_target is null and quick_hash is not null`);
  });
}

function stopReading(store: Store): void {
  store.transaction(() => {
    store.run("delete from meta where key in ('reading', 'recognising')");
    store.run('delete from unread');
    store.run('delete from unopened');
  });
}

const rulesOf = ({ extract_body_text, extract_max_bytes, extracted_max_bytes, body_text_max_chars }: Policy): string =>
  `${extract_body_text ? 'text' : 'facts'} ${extract_max_bytes ?? 0} ${extracted_max_bytes} ${body_text_max_chars}`;

function nextFiles(store: Store): UnreadFile[] {
  const columns = store.columns
    .split(', ')
    .map((column) => `f.${column}`)
    .join(', ');
  return store.all<UnreadFile>(
    `select ${columns}, f.root, r.key as read_key from unread u
      join files f on f.root = u.root and f.dir = u.dir and f.name = u.name
      left join reads r on r.root = u.root and r.dir = u.dir and r.name = u.name limit ?`,
    filesAtOnce,
  );
}

interface Reading {
  readers: Readers;
  pool: SandboxPool;
  policy: Policy;
  taxonomy: Taxonomy;
  signal: AbortSignal;
}

/** As many as the service reads by default. */
const sniffBytes = 65_536;

async function readFile(store: Store, reading: Reading, file: UnreadFile): Promise<void> {
  const { readers, pool, policy, taxonomy, signal } = reading;
  const named = extensionOf(file.name);
  const fits = file.size <= (policy.extract_max_bytes ?? Number.POSITIVE_INFINITY);
  const limits = { ...readers.defaultLimits, bodyTextMaxChars: policy.body_text_max_chars };
  const routed = extractorOf(taxonomy, named);
  const choosing = { pool, sniffBytes, extractorOf: (extension: string) => extractorOf(taxonomy, extension) };
  const chosen = await withFile(file, limits, named, (job) => readers.chooseReader(choosing, job, fits ? routed : null, signal));
  if (chosen === 'changed') return leaveToScan(store, file);
  if (chosen === 'stopped') return;
  const { extension, extractor, version } = chosen;
  const bytes = file.content_hash ?? `${file.quick_hash}-${file.size}-${file.mtime_ns}`;
  const ocr = ocrKey(readers, policy, extension);
  // A colon would end a part of the key; names on disk contain no slash.
  const name = extractor?.usesName ? ` ${file.name.replaceAll(':', '/')}` : '';
  const key = `${bytes}:${version}:${extension}:${rulesOf(policy)}${ocr}${name}`;
  if (file.read_key === key) return finish(store, file, key, undefined);
  // Facts of earlier bytes, or of another type, are void.
  if (!extractor || !fits) return finish(store, file, key, file.read_key === null ? undefined : null, extension);
  const read = await withFile(file, limits, extension, (job) => extract(reading, job, file, ocr === '' ? null : bytes));
  if (read === 'changed') return leaveToScan(store, file);
  if (read === 'stopped') return;
  const { outcome, recognised } = read;
  const extraction = extractionOf(outcome, version, policy, recognised?.metadata ?? {});
  // This key never matches, so the file is read again when the machine can recognise text.
  const readKey = recognised?.unavailable ? `${key} unavailable` : key;
  finish(store, file, readKey, fitExtraction(extraction, policy.extracted_max_bytes), extension);
}

/** `changed`: the file cannot be opened, or is not the one that was scanned. The next scan finds out what it is now. */
async function withFile<T>(
  { root, dir, name, size }: UnreadFile,
  limits: Readers['defaultLimits'],
  extension: string,
  work: (job: FileJob) => Promise<T>,
): Promise<T | 'changed'> {
  const onDisk = await requireInside(root, dir === '' ? name : `${dir}/${name}`).catch(() => null);
  if (onDisk === null) return 'changed';
  const reachable = nameable(onDisk, extension);
  try {
    return await work({ path: reachable.path, root, filename: name, extension, size, limits });
  } finally {
    reachable.release();
  }
}

interface Read {
  outcome: ExtractOutcome;
  recognised: Exclude<Awaited<ReturnType<Readers['recogniseText']>>, 'stopped'> | null;
}

/** `bytes` names the bytes of a file whose text may have to be recognised. */
async function extract(
  { readers, pool, policy, signal }: Reading,
  job: FileJob,
  { size, mtime_ns }: UnreadFile,
  bytes: string | null,
): Promise<Read | 'changed' | 'stopped'> {
  const outcome = await pool.extract(job, signal);
  if (!outcome.ok && outcome.stopped) return 'stopped';
  const isScan = bytes !== null && outcome.ok && !readers.hasOwnText(outcome.unsupported ? undefined : outcome.extracted.bodyText);
  const recognised = isScan ? await readers.recogniseText(pool, job, ocrRulesOf(policy), bytes, signal) : null;
  if (recognised === 'stopped') return 'stopped';
  const now = await stat(job.path, { bigint: true }).catch(() => null);
  const isSame = now !== null && now.size === BigInt(size) && String(now.mtimeNs) === mtime_ns;
  return !isSame || (!outcome.ok && outcome.unreadable) ? 'changed' : { outcome, recognised };
}

/** Readers take paths as text. A name that is not valid UTF-8 is reached through a link. */
function nameable(onDisk: string | Buffer, extension: string): { path: string; release(): void } {
  if (typeof onDisk === 'string') return { path: onDisk, release: () => {} };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-name-'));
  const link = path.join(folder, `file.${extension.replace(/[^.a-z0-9]/g, '')}`);
  symlinkSync(onDisk, link);
  return { path: link, release: () => rmSync(folder, { recursive: true, force: true }) };
}

function extractionOf(
  outcome: ExtractOutcome,
  extractor: string,
  policy: Policy,
  recognised: Record<string, unknown>,
): ReplicatedExtraction {
  if (!outcome.ok) return { schema: 1, extractor, meta: { _extract_error: outcome.message, _extract_error_kind: outcome.kind } };
  const found = outcome.unsupported ? { metadata: {} } : outcome.extracted;
  const text =
    policy.extract_body_text && found.bodyText ? { body_text: found.bodyText, body_text_truncated: found.bodyTextTruncated ?? false } : {};
  return {
    schema: 1,
    extractor,
    meta: { ...found.metadata, ...recognised, ...outcome.provenance },
    ...(found.title === undefined ? {} : { title: found.title }),
    ...(found.year === undefined ? {} : { year: found.year }),
    ...text,
    ...(found.archiveMembers ? { archive_members: found.archiveMembers } : {}),
  };
}

/**
 * `extracted` undefined: there is nothing to report. With an extension the bytes are new, and their thumbnail is drawn. Nothing is stored
 * when the file was scanned again meanwhile.
 */
function finish(
  store: Store,
  file: UnreadFile,
  key: string | null,
  extracted: ReplicatedExtraction | null | undefined,
  extension?: string,
): void {
  const { root, read_key: _key, ...row } = file;
  store.transaction(() => {
    if (wasScannedAgain(store, file)) return;
    store.run('delete from unread where root = ? and dir = ? and name = ?', root, row.dir, row.name);
    if (key !== null) store.run('insert or replace into reads (root, dir, name, key) values (?, ?, ?, ?)', root, row.dir, row.name, key);
    if (extension !== undefined) awaitDrawing(store, root, row.dir, row.name, extension);
    // Nobody waits for it as for a change of the file, so it does not end the first listing of a root.
    if (extracted !== undefined) store.add(entryOf(root, 'modified', row, { extracted, initial: true }));
  });
}

/** An unchanged file on a disk that was away is found by the next scan of the whole root, and waits until then. */
function leaveToScan(store: Store, file: UnreadFile): void {
  const { root, dir, name } = file;
  store.transaction(() => {
    if (wasScannedAgain(store, file)) return;
    store.run('delete from unread where root = ? and dir = ? and name = ?', root, dir, name);
    store.run('insert or ignore into unopened (root, dir, name) values (?, ?, ?)', root, dir, name);
  });
}

function wasScannedAgain(store: Store, { root, dir, name, mtime_ns, size, quick_hash }: UnreadFile): boolean {
  const now = store.get<FileRow>(`select ${store.columns} from files where root = ? and dir = ? and name = ?`, root, dir, name);
  return now?.mtime_ns !== mtime_ns || now.size !== size || now.quick_hash !== quick_hash;
}

/** The service has lost what was read from these files, or has never had it. */
export function readAgain(store: Store, root: string, dir: string, names: readonly string[]): void {
  if (store.meta('reading') === null) return;
  store.transaction(() => {
    for (const name of names) {
      store.run('delete from reads where root = ? and dir = ? and name = ?', root, dir, name);
      store.run(
        `insert or ignore into unread (root, dir, name)
          select root, dir, name from files where root = ? and dir = ? and name = ? and symlink_target is null and quick_hash is not null`,
        root,
        dir,
        name,
      );
    }
  });
}
