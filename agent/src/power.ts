/**
 * Whether the machine runs on battery, and whether its connection is metered, as far as the system tells. Linux: the power supplies of the
 * kernel, and NetworkManager. macOS: pmset tells the power source; nothing tells of metered connections. Windows: neither is known.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

export type PowerSource = 'mains' | 'battery' | 'unknown';
type Metering = 'metered' | 'unmetered' | 'unknown';

const run = promisify(execFile);

/** The output of a program of the system, or null when it is not there. */
async function ask(program: string, args: string[]): Promise<string | null> {
  try {
    return (await run(program, args, { timeout: 5000 })).stdout;
  } catch {
    // Not installed, or it has nothing to say.
    return null;
  }
}

export async function powerSource(platform: NodeJS.Platform = process.platform, folder = '/sys/class/power_supply'): Promise<PowerSource> {
  if (platform === 'linux') return readSupplies(folder);
  if (platform !== 'darwin') return 'unknown';
  const told = await ask('pmset', ['-g', 'batt']);
  return told === null ? 'unknown' : told.includes("'Battery Power'") ? 'battery' : 'mains';
}

/** Whether the machine has a battery of its own, as laptops do; null where the system does not tell. */
export async function isPortable(
  platform: NodeJS.Platform = process.platform,
  folder = '/sys/class/power_supply',
): Promise<boolean | null> {
  if (platform === 'darwin') {
    const told = await ask('pmset', ['-g', 'batt']);
    return told === null ? null : told.includes('InternalBattery');
  }
  if (platform !== 'linux') return null;
  try {
    return ownSupplies(folder).some(({ type }) => type === 'Battery');
  } catch {
    // Containers often have no such folder.
    return null;
  }
}

interface Supply {
  type: string;
  online: string;
  status: string;
}

/** Throws when the system has no folder of power supplies. */
function ownSupplies(folder: string): Supply[] {
  const read = (name: string, file: string): string => {
    try {
      return readFileSync(path.join(folder, name, file), 'utf8').trim();
    } catch {
      return '';
    }
  };
  return (
    readdirSync(folder)
      // Batteries of mice and headsets say nothing about the machine.
      .filter((name) => read(name, 'scope') !== 'Device')
      .map((name) => ({ type: read(name, 'type'), online: read(name, 'online'), status: read(name, 'status') }))
  );
}

function readSupplies(folder: string): PowerSource {
  let own: Supply[];
  try {
    own = ownSupplies(folder);
  } catch {
    return 'unknown';
  }
  if (own.some(({ type, online }) => type !== 'Battery' && online === '1')) return 'mains';
  if (own.some(({ type, status }) => type === 'Battery' && status === 'Discharging')) return 'battery';
  return own.length === 0 ? 'unknown' : 'mains';
}

const networkManager = ['org.freedesktop.NetworkManager', '/org/freedesktop/NetworkManager', 'org.freedesktop.NetworkManager', 'Metered'];

export async function metering(platform: NodeJS.Platform = process.platform): Promise<Metering> {
  if (platform !== 'linux') return 'unknown';
  const told = await ask('busctl', ['--system', 'get-property', ...networkManager]);
  // 1 yes, 2 no, 3 probably, 4 probably not.
  const value = /^u (\d)/.exec(told ?? '')?.[1];
  return value === '1' || value === '3' ? 'metered' : value === '2' || value === '4' ? 'unmetered' : 'unknown';
}
