/**
 * Puts this process behind the walls of the sandbox and then replaces it with the reader, so that no code of the reader ever runs outside.
 * It is started in the new namespaces with one argument, the JSON of a LaunchPlan (../plan.ts). The folder is plain JavaScript because it
 * runs before every reader and stripping types would add half to its start time.
 *
 * The order matters: the view needs privileges, which the change of user gives up; Landlock and seccomp need no_new_privs; seccomp comes
 * last, because it forbids what the earlier steps do. A step that fails ends the process with exit code 71 and the line
 * `layer <name>: <reason>`, from which the caller learns what this host does not offer.
 */
import { chownSync, readFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { restrictFiles } from './landlock.mjs';
import { addressOf, c, must, prctl } from './libc.mjs';
import { numbers, seccompFilter } from './seccomp.mjs';
import { enterView } from './view.mjs';

const plan = JSON.parse(process.argv[2]);
const { layers, entries, scratch, user } = plan;
const ownProcesses = layers.includes('processes');
/** Read first, because /proc may be gone from the view. */
const processStatus = readFileSync('/proc/self/status', 'utf8');
const owner = user ?? { uid: process.getuid(), gid: process.getgid() };

const steps = {
  mounts: () => enterView({ root: plan.viewRoot, entries, scratch, scratchBytes: plan.limits.scratchBytes, owner, ownProcesses }),
  limits: setLimits,
  user: changeUser,
  capabilities: dropCapabilities,
  privileges: () => prctl('no_new_privs', 38, 1),
  landlock: () => restrictFiles({ entries, scratch, covered: layers.includes('mounts'), ownProcesses }),
  seccomp: installFilter,
};

if (plan.nice !== 0) lowerPriority();
if (!layers.includes('mounts') && user !== null) attempt('user', () => chownSync(scratch, user.uid, user.gid));
for (const [name, step] of Object.entries(steps)) if (layers.includes(name)) attempt(name, step);
attempt('start', startReader);

function attempt(name, step) {
  try {
    step();
  } catch (error) {
    writeSync(2, `layer ${name}: ${error.message}\n`);
    process.exit(71);
  }
}

/** Background work runs at normal priority where the host forbids lowering it. */
function lowerPriority() {
  try {
    setPriority(plan.nice);
  } catch {
    // Slower requests meanwhile are the only consequence.
  }
}

function setLimits() {
  const resource = { fileSize: 1, data: 2, core: 4, processes: 6, files: 7 };
  const { memoryBytes, fileBytes, processes, files } = plan.limits;
  const values = { fileSize: fileBytes, data: memoryBytes, core: 0, processes, files };
  for (const [name, value] of Object.entries(values)) {
    const pair = Buffer.alloc(16);
    pair.writeBigUInt64LE(BigInt(value), 0);
    pair.writeBigUInt64LE(BigInt(value), 8);
    must(`setrlimit ${name}`, c.setrlimit(resource[name], pair));
  }
}

/** Each reader of a service that runs as root has a user id of its own, so that it can reach neither files nor processes of others. */
function changeUser() {
  // noroot and no_setuid_fixup, both locked: capabilities survive the change, and access(2) respects them, on which libraries rely.
  prctl('securebits', 28, 0b1111);
  must('setgroups', c.setgroups(0, null));
  must('setresgid', c.setresgid(user.gid, user.gid, user.gid));
  must('setresuid', c.setresuid(user.uid, user.uid, user.uid));
}

/** Leaves one capability at most: a service that runs as root reads files of every owner. */
function dropCapabilities() {
  const held = BigInt(`0x${/CapPrm:\s+(\w+)/.exec(processStatus)[1]}`);
  const [setPcap, override, readSearch] = [8n, 1n, 2n];
  const has = (capability) => (held & (1n << capability)) !== 0n;
  const kept = plan.keepReading ? [readSearch, override].find(has) : undefined;
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x2008_0522, 0);
  const setAll = (effective, permitted, inheritable) => {
    const data = Buffer.alloc(24);
    for (const [index, set] of [effective, permitted, inheritable].entries()) {
      data.writeUInt32LE(Number(set & 0xffff_ffffn), index * 4);
      data.writeUInt32LE(Number(set >> 32n), 12 + index * 4);
    }
    must('capset', c.capset(header, data));
  };
  if (has(setPcap)) {
    setAll(held, held, 0n);
    for (let capability = 0; capability < 64; capability += 1) {
      // The first number that the kernel does not know ends the list.
      if (BigInt(capability) !== kept && c.prctl(24, capability, 0, 0, 0) !== 0) break;
    }
  }
  const bits = kept === undefined ? 0n : 1n << kept;
  setAll(bits, bits, bits);
  if (kept !== undefined) prctl('ambient capability', 47, 2, Number(kept));
}

function installFilter() {
  const filter = seccompFilter();
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length / 8, 0);
  program.writeBigUInt64LE(BigInt(addressOf(filter)), 8);
  // Without SPEC_ALLOW older kernels slow down every process that has a filter.
  must('seccomp', c.syscall(numbers.seccomp, 'uint32_t', 1, 'uint32_t', 4, 'void *', program));
}

function startReader() {
  // A change of user clears it, so it is set last.
  prctl('parent death signal', 1, 9);
  process.chdir(scratch);
  // Node closes inherited descriptors on exec: the standard streams and the channel must stay. The probe has no channel.
  for (const descriptor of [0, 1, 2, 3]) c.fcntl(descriptor, 2, 0);
  const [program, ...args] = plan.command;
  const environment = Object.entries(plan.environment).map(([name, value]) => `${name}=${value}`);
  must('execve', c.execve(program, [program, ...args, null], [...environment, null]));
}
