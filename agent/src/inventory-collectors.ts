/** What an inventory collects of each file. Contents are never opened, and symlinks are never followed. */
import type { BigIntStats } from 'node:fs';
import { defaultInventoryCollectors, type InventoryCollector, inventoryCollectors } from '@catalog/protocol';
import {
  createAclReader,
  entriesOf,
  type FilePrincipal,
  fileSystemType,
  inventsOwners,
  noAclAttributes,
  ownersOf,
  type PermissionEntry,
  toFileAcl,
  unlistedAclAttribute,
} from '@catalog/scanner';
import { type AccountNames, createAccountNames } from './account-names.ts';

type Facts = Record<string, unknown>;
type Describe = (file: string, stats: BigIntStats) => Facts | Promise<Facts>;

interface Collector {
  /** Why this machine cannot collect it; null when it can. */
  obstacle(): string | null;
  open(root: string, names: AccountNames): Describe;
}

/** Smaller files may be stored inside their record, where they take up no blocks. */
const minPlaceholderBytes = 4096n;

const collectors: Record<InventoryCollector, Collector> = {
  stat: {
    obstacle: () => null,
    open:
      () =>
      (_file, { size, mtimeMs }) => ({ size: Number(size), mtime: new Date(Number(mtimeMs)).toISOString() }),
  },
  owner: {
    obstacle: () => (process.platform === 'win32' ? 'Windows does not tell this program who owns a file.' : null),
    open: (_root, names) => async (_file, stats) => {
      const [uid, gid] = [Number(stats.uid), Number(stats.gid)];
      return { uid, gid, user: await names.user(uid), group: await names.group(gid) };
    },
  },
  perms: {
    obstacle: () => null,
    open: () => (_file, stats) => ({ mode: `0${modeOf(stats).toString(8)}` }),
  },
  permissions: {
    obstacle: aclObstacle,
    open: openPermissions,
  },
  placeholder: {
    obstacle: () => null,
    open: () => (_file, stats) => (stats.isFile() ? { placeholder: stats.blocks === 0n && stats.size >= minPlaceholderBytes } : {}),
  },
};

/** Why access lists cannot be read; null when they can. */
export function aclObstacle(): string | null {
  if (process.platform !== 'linux') return 'Access lists can be read on Linux only.';
  return createAclReader() === null ? 'Access lists cannot be read, because the native library koffi cannot be loaded.' : null;
}

const modeOf = ({ mode }: BigIntStats): number => Number(mode) & 0o7777;

export function availableCollectors(): InventoryCollector[] {
  return inventoryCollectors.filter((name) => collectors[name].obstacle() === null);
}

function openPermissions(root: string, names: AccountNames): Describe {
  const type = fileSystemType(root);
  const reader = createAclReader({ unlisted: unlistedAclAttribute(type) });
  const named = async (principal: FilePrincipal): Promise<FilePrincipal & { name?: string }> => {
    const [, kind, id] = /^(uid|gid):(\d+)$/.exec(principal.id) ?? [];
    if (id === undefined) return principal;
    const name = await (kind === 'uid' ? names.user(Number(id)) : names.group(Number(id)));
    return name === null ? principal : { ...principal, name };
  };
  return async (file, stats) => {
    // The mode of a symlink says nothing; what it points to decides.
    if (stats.isSymbolicLink()) return {};
    const ownership = { uid: Number(stats.uid), gid: Number(stats.gid), mode: modeOf(stats) };
    const acl = toFileAcl(ownership, reader?.ofPath(file) ?? noAclAttributes, inventsOwners(type));
    const { owner, group } = ownersOf(acl);
    const entries = await Promise.all(entriesOf(acl).map(async (entry) => ({ ...short(entry), principal: await named(entry.principal) })));
    return { permissions: { owner: await named(owner), group: await named(group), fidelity: acl.fidelity, entries } };
  };
}

/** Without what is false or the rule: a listing has up to a hundred thousand lines. */
const short = ({ order_index: _order, source: _source, ...entry }: PermissionEntry): Facts =>
  Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== false && value !== 'this'));

export interface Collecting {
  run: string[];
  /** The first problem of each collector. */
  errors: Record<string, string>;
  describe(root: string, file: string, stats: BigIntStats): Promise<Facts>;
}

/** Collectors by name. One that this machine lacks is reported and does not end the inventory. */
export function openCollectors(asked: unknown): Collecting {
  const errors: Record<string, string> = {};
  const wanted = Array.isArray(asked)
    ? asked.map(String)
    : availableCollectors().filter((name) => defaultInventoryCollectors.includes(name));
  const chosen = inventoryCollectors.filter((name) => wanted.includes(name));
  for (const name of wanted) if (!chosen.some((each) => each === name)) errors[name.slice(0, 64)] = 'This program has no such collector.';
  const run = chosen.filter((name) => {
    const obstacle = collectors[name].obstacle();
    if (obstacle !== null) errors[name] = obstacle;
    return obstacle === null;
  });
  const names = createAccountNames();
  const opened = new Map<string, { name: InventoryCollector; describe: Describe }[]>();
  return {
    run,
    errors,
    async describe(root, file, stats) {
      const own = opened.get(root) ?? run.map((name) => ({ name, describe: collectors[name].open(root, names) }));
      opened.set(root, own);
      const facts: Facts = {};
      for (const { name, describe } of own)
        try {
          const found = describe(file, stats);
          Object.assign(facts, found instanceof Promise ? await found : found);
        } catch (error) {
          errors[name] ??= error instanceof Error ? error.message : String(error);
        }
      return facts;
    },
  };
}
