/**
 * Starts a program under a seccomp filter that refuses some system calls, which makes the kernel look like one without them:
 * deny-calls.mjs unshare,444 program args… Numbers and names are accepted. For tests only.
 */
import { addressOf, c, must, prctl } from '../src/sandbox/launcher/libc.mjs';
import { assemble, numbers } from '../src/sandbox/launcher/seccomp.mjs';

const [, , names, program, ...args] = process.argv;
const denied = names.split(',').map((name) => numbers[name] ?? Number(name));
const filter = assemble([
  [0x20, 0, 0, 0],
  ...denied.flatMap((number) => [
    [0x15, 0, 1, number],
    [0x06, 0, 0, 0x0005_0001],
  ]),
  [0x06, 0, 0, 0x7fff_0000],
]);
const fprog = Buffer.alloc(16);
fprog.writeUInt16LE(filter.length / 8, 0);
fprog.writeBigUInt64LE(BigInt(addressOf(filter)), 8);
prctl('no_new_privs', 38, 1);
must('seccomp', c.syscall(numbers.seccomp, 'uint32_t', 1, 'uint32_t', 4, 'void *', fprog));
for (const descriptor of [0, 1, 2]) c.fcntl(descriptor, 2, 0);
must(
  'execve',
  c.execve(program, [program, ...args, null], [...Object.entries(process.env).map(([name, value]) => `${name}=${value}`), null]),
);
