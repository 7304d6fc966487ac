import { isOnNetwork } from '@catalog/scanner';
import { access, opendir, stat } from 'node:fs/promises';
import { constants } from 'node:fs';

export interface Probe {
  state: 'ok' | 'empty' | 'missing' | 'not-dir' | 'permission' | 'io' | 'hung';
  /** The system's code, when it refused. */
  code: string | null;
  network: boolean;
}

/** A network share that went away lets every call wait: after this it counts as hung. */
const probeTimeoutMs = 5_000;

/** How a library's folder answers at this moment. */
export async function probeRoot(
  root: string,
  look: (root: string) => Promise<Probe['state']> = inspectRoot,
  patience = probeTimeoutMs,
): Promise<Probe> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'hung'>((resolve) => {
    timer = setTimeout(() => resolve('hung'), patience);
  });
  const network = isOnNetwork(root);
  try {
    return { state: await Promise.race([look(root), late]), code: null, network };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
    return { state: stateForCode(code), code, network };
  } finally {
    clearTimeout(timer);
  }
}

async function inspectRoot(root: string): Promise<'ok' | 'empty' | 'not-dir'> {
  if (!(await stat(root)).isDirectory()) return 'not-dir';
  await access(root, constants.R_OK | constants.X_OK);
  const folder = await opendir(root);
  const first = await folder.read();
  await folder.close();
  return first === null ? 'empty' : 'ok';
}

function stateForCode(code: string): Probe['state'] {
  if (code === 'ENOENT') return 'missing';
  if (code === 'ENOTDIR') return 'not-dir';
  return code === 'EACCES' || code === 'EPERM' ? 'permission' : 'io';
}
