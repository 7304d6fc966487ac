import { Worker } from 'node:worker_threads';
import { koffiFolder } from '../koffi.ts';
import { threadFile } from '../thread-file.ts';
import { type AclAttributes, type AclReader, createAclReader, noAclAttributes } from './attributes.ts';

/** Reads the access control lists of files in batches. */
export interface PermissionReader {
  /** One result per name, in order. */
  read(folders: readonly FolderNames[]): Promise<AclAttributes[]>;
  close(): Promise<void>;
}

/** Files of one folder, as path text. */
export interface FolderNames {
  folder: string;
  names: readonly string[];
}

/** Lists that several files of a batch share are sent once: `found[at[i] - 1]` belongs to the i-th file, and 0 means none. */
export interface PackedAttributes {
  found: AclAttributes[];
  at: Uint32Array;
}

export interface PermissionThreadData {
  unlisted?: string | null;
  /** See koffiFolder. */
  koffi?: string | undefined;
}

export function readAttributes(folders: readonly FolderNames[], reader: AclReader | null): PackedAttributes {
  const at = new Uint32Array(folders.reduce((sum, { names }) => sum + names.length, 0));
  const found: AclAttributes[] = [];
  const known = new Map<string, number>();
  let index = 0;
  for (const { folder, names } of folders) {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    for (const name of names) {
      const attributes = reader?.ofPath(prefix + name) ?? noAclAttributes;
      if (attributes !== noAclAttributes) {
        const key = attributesKey(attributes);
        const position = known.get(key) ?? found.push(attributes);
        known.set(key, position);
        at[index] = position;
      }
      index += 1;
    }
  }
  return { found, at };
}

/** Equal keys mean equal lists. */
export function attributesKey({ values, failed }: AclAttributes): string {
  const parts = Object.keys(values)
    .sort()
    .map((name) => `${name}=${Buffer.from(values[name] as Uint8Array).toString('base64')}`);
  return `${failed === true}|${parts.join('|')}`;
}

const unpackAttributes = ({ found, at }: PackedAttributes): AclAttributes[] =>
  Array.from(at, (position) => (position === 0 ? noAclAttributes : (found[position - 1] as AclAttributes)));

/** Reads in a thread, which is started with the first batch. Batches are read one after another. */
export function createPermissionReader(options: { unlisted?: string | null } = {}): PermissionReader {
  let thread: Worker | undefined;
  let nextId = 0;
  const pending = new Map<number, { resolve(value: AclAttributes[]): void; reject(error: Error): void }>();
  const fail = (error: Error): void => {
    thread = undefined;
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  };
  const start = (): Worker => {
    const worker = new Worker(threadFile('permissions-thread'), {
      workerData: { ...options, koffi: koffiFolder() } satisfies PermissionThreadData,
      resourceLimits: { maxYoungGenerationSizeMb: 6 },
    });
    worker.unref();
    worker.on('message', ({ id, packed }: { id: number; packed: PackedAttributes }) => {
      pending.get(id)?.resolve(unpackAttributes(packed));
      pending.delete(id);
    });
    worker.on('error', (error) => fail(error as Error));
    worker.on('exit', () => fail(new Error('The thread that reads permissions ended.')));
    return worker;
  };
  return {
    read(folders) {
      if (folders.every(({ names }) => names.length === 0)) return Promise.resolve([]);
      thread ??= start();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        thread?.postMessage({ id, folders });
      });
    },
    async close() {
      await thread?.terminate();
    },
  };
}

/** Reads in the calling thread, for tests. */
export function createInlinePermissionReader(): PermissionReader {
  const reader = createAclReader();
  return { read: async (folders) => unpackAttributes(readAttributes(folders, reader)), close: async () => {} };
}
