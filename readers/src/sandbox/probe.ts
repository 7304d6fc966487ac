/**
 * Finds out which layers of the sandbox this host offers, by starting an empty program with a reader's launch line. A layer that fails is
 * left out, with the reason, and the rest is tried again. The result holds for the life of the process.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnvironment, findTool } from '../input/external-tool.ts';
import { nodeCommand } from './node-command.ts';
import { type LaunchPlan, type LayerName, layerNames, limitsOf, programEntries } from './plan.ts';

export interface HostReport {
  layers: LayerName[];
  missing: { layer: LayerName; reason: string }[];
  /** The data segment of an empty Node process, up to half a gigabyte on some machines; the memory limit of a reader is added to it. */
  baselineBytes: number;
}

const namespaceFlags: Partial<Record<LayerName, string[]>> = {
  mounts: ['--mount', '--propagation', 'slave'],
  processes: ['--pid', '--fork', '--kill-child'],
  network: ['--net'],
  ipc: ['--ipc'],
};
const launcher = fileURLToPath(new URL('./launcher/main.mjs', import.meta.url));
const emptyModule = fileURLToPath(new URL('./launcher/empty.mjs', import.meta.url));
const isRoot = process.getuid?.() === 0;

/** The command line of the sandbox launcher, which starts the planned command. Without any sandbox layer it is the planned command alone. */
export function launchLine(plan: LaunchPlan): string[] {
  const { layers } = plan;
  if (layers.length === 0) return plan.command;
  const flags = layers.flatMap((layer) => namespaceFlags[layer] ?? []);
  const setpriv = findTool('setpriv');
  return [
    // unshare itself must die with the service, because it is the parent that the reader dies with.
    ...(setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL', '--']),
    ...(flags.length === 0 ? [] : [findTool('unshare') ?? 'unshare', ...(isRoot ? [] : ['--user', '--map-root-user']), ...flags, '--']),
    // The channel belongs to the reader. Node would read messages from it in the launcher.
    ...[findTool('env') ?? 'env', '-u', 'NODE_CHANNEL_FD', '-u', 'NODE_CHANNEL_SERIALIZATION_MODE'],
    ...[...nodeCommand(launcher), JSON.stringify(plan)],
  ];
}

/** Whether processes are counted for the reader alone: by its own user id or by its own user namespace. */
export const countsAlone = (layers: readonly LayerName[]): boolean =>
  isRoot ? layers.includes('user') : layers.some((layer) => namespaceFlags[layer] !== undefined);

/** User ids that distributions reserve for services without an account. */
const firstUserId = 61_184;
const userIds = 4336;

export function readerUser(layers: readonly LayerName[]): LaunchPlan['user'] {
  if (!layers.includes('user')) return null;
  const id = firstUserId + Math.floor(Math.random() * userIds);
  return { uid: id, gid: id };
}

const fallbackKilobytes = 655_360;

export function probeHost(): HostReport {
  const [program, ...args] = nodeCommand(emptyModule);
  const { stdout } = spawnSync(program as string, args, { env: cleanEnvironment(), encoding: 'utf8', timeout: 10_000 });
  const baselineBytes = (Number.parseInt(stdout ?? '', 10) || fallbackKilobytes) * 1024;
  const missing: HostReport['missing'] = [];
  if (process.platform !== 'linux') {
    const reason = 'it exists only on Linux';
    return { layers: [], missing: layerNames.map((layer) => ({ layer, reason })), baselineBytes };
  }
  let layers = layerNames.filter((layer) => layer !== 'user' || isRoot);
  const drop = (layer: LayerName, reason: string): void => {
    layers = layers.filter((name) => name !== layer);
    missing.push({ layer, reason });
  };
  for (const [layer, reason] of refusedNamespaces(layers)) drop(layer, reason);
  for (let failure = tryLayers(layers, baselineBytes); failure !== null; failure = tryLayers(layers, baselineBytes)) {
    const { reason } = failure;
    const layer = layers.find((name) => name === failure?.layer) ?? suspects.find((name) => layers.includes(name));
    if (layer === undefined) break;
    drop(layer, reason);
  }
  return { layers, missing, baselineBytes };
}

/** Which layer to leave out when the program does not start and the launcher blames none. */
const suspects: LayerName[] = [
  'user',
  'mounts',
  'landlock',
  'seccomp',
  'capabilities',
  'limits',
  'processes',
  'network',
  'ipc',
  'privileges',
];

function refusedNamespaces(layers: readonly LayerName[]): [LayerName, string][] {
  const wanted = layers.filter((layer) => namespaceFlags[layer] !== undefined);
  const failure = tryUnshare(wanted);
  if (failure === null) return [];
  return wanted.flatMap((layer): [LayerName, string][] => {
    const reason = tryUnshare([layer]);
    return reason === null ? [] : [[layer, reason]];
  });
}

function tryUnshare(layers: readonly LayerName[]): string | null {
  const unshare = findTool('unshare');
  if (unshare === null) return 'the program unshare is not installed';
  const flags = [...(isRoot ? [] : ['--user', '--map-root-user']), ...layers.flatMap((layer) => namespaceFlags[layer] ?? [])];
  const { status, stderr } = spawnSync(unshare, [...flags, '--', findTool('true') ?? 'true'], { encoding: 'utf8', timeout: 5000 });
  return status === 0 ? null : (stderr ?? '').trim().replaceAll('\n', ' ').slice(0, 200) || 'unshare failed';
}

function tryLayers(layers: readonly LayerName[], baselineBytes: number): { layer: string; reason: string } | null {
  const folder = mkdtempSync(join(tmpdir(), `catalog-reader-${process.pid}-`));
  try {
    const [viewRoot, scratch] = [join(folder, 'view'), join(folder, 'work')];
    for (const path of [viewRoot, scratch]) mkdirSync(path);
    const [program, ...args] = launchLine({
      layers,
      command: nodeCommand(emptyModule),
      environment: {},
      entries: programEntries(),
      viewRoot,
      scratch,
      user: readerUser(layers),
      keepReading: isRoot,
      nice: 0,
      limits: limitsOf(baselineBytes + 512 * 1024 * 1024, countsAlone(layers)),
    });
    const { status, stderr } = spawnSync(program as string, args, { env: cleanEnvironment(), encoding: 'utf8', timeout: 20_000 });
    if (status === 0) return null;
    const [, layer = 'start', reason = ''] = /^layer (\w+): (.*)$/m.exec(stderr ?? '') ?? [];
    return { layer, reason: reason || (stderr ?? '').trim().split('\n')[0]?.slice(0, 200) || 'an empty program does not start with it' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
