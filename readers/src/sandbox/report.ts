/** Which layers of the sandbox are active on this host, and what each missing one means. Shown at start, in About and by `catalog check`. */
import { prepareSandbox } from './launch.ts';
import { type LayerName, layerNames } from './plan.ts';
import type { HostReport } from './probe.ts';

export interface SandboxLayer {
  name: LayerName;
  title: string;
  active: boolean;
  /** Why it is missing and what that means; null when it is active. */
  reason: string | null;
  effect: string | null;
}

const titles: Record<LayerName, string> = {
  mounts: 'Mount namespace',
  processes: 'Process namespace',
  network: 'Network namespace',
  ipc: 'IPC namespace',
  limits: 'Resource limits',
  user: 'Separate user',
  capabilities: 'Dropped capabilities',
  privileges: 'No new privileges',
  landlock: 'Landlock',
  seccomp: 'System call filter',
};

export async function sandboxReport(): Promise<SandboxLayer[]> {
  return describeLayers(await prepareSandbox());
}

/** The user layer does not apply to a service that is not root; it is then neither active nor missing. */
export function describeLayers({ layers, missing }: Pick<HostReport, 'layers' | 'missing'>): SandboxLayer[] {
  return layerNames.flatMap((name): SandboxLayer[] => {
    const lost = missing.find(({ layer }) => layer === name);
    if (lost === undefined && !layers.includes(name)) return [];
    const [reason, effect] = lost === undefined ? [null, null] : [lost.reason, effectOf(name, layers)];
    return [{ name, title: titles[name], active: lost === undefined, reason, effect }];
  });
}

function effectOf(name: LayerName, active: readonly LayerName[]): string {
  const has = (layer: LayerName): boolean => active.includes(layer);
  switch (name) {
    case 'mounts':
    case 'landlock':
      return has('mounts') || has('landlock')
        ? has('mounts')
          ? 'Mount namespace alone keeps readers to the folder of their library.'
          : 'Landlock alone keeps readers to the folder of their library.'
        : 'Readers can read every file that the service can read, and programs they start can write where the service can write.';
    case 'network':
      return has('seccomp') ? 'The system call filter alone keeps readers off the network.' : 'Readers can use the network.';
    case 'seccomp':
      return has('network') && has('mounts')
        ? 'Readers can use rarely tested interfaces of the kernel.'
        : 'Readers can use rarely tested interfaces of the kernel, and sockets of this machine.';
    case 'processes':
      return has('landlock') || has('user')
        ? 'Readers may see that other processes exist, and a program that a reader leaves behind is not stopped with it.'
        : 'Readers can see and signal processes of the same user, and a program that a reader leaves behind is not stopped with it.';
    case 'ipc':
      return has('seccomp')
        ? 'The system call filter alone keeps readers off shared memory and message queues.'
        : 'Readers can use shared memory and message queues of the machine.';
    case 'limits':
      return 'Memory, file size and number of processes of readers are not limited by the system.';
    case 'user':
      return 'Readers run as root, with the capabilities that are left to them.';
    case 'capabilities':
      return 'Readers hold all capabilities of the service.';
    case 'privileges':
      return 'Readers can gain privileges through set-user-ID programs.';
  }
}
