/** The C library, for what Node has no API for. */
import { createRequire } from 'node:module';

const koffi = createRequire(import.meta.url)('koffi');
const libc = koffi.load(null);

export const c = {
  syscall: libc.func('long syscall(long number, ...)'),
  mount: libc.func('int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)'),
  umount2: libc.func('int umount2(const char *target, int flags)'),
  prctl: libc.func('int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)'),
  setrlimit: libc.func('int setrlimit(int resource, const void *limits)'),
  setgroups: libc.func('int setgroups(size_t count, const void *groups)'),
  setresgid: libc.func('int setresgid(uint32_t real, uint32_t effective, uint32_t saved)'),
  setresuid: libc.func('int setresuid(uint32_t real, uint32_t effective, uint32_t saved)'),
  capset: libc.func('int capset(const void *header, const void *data)'),
  fcntl: libc.func('int fcntl(int descriptor, int command, int argument)'),
  execve: libc.func('int execve(const char *path, const char **argv, const char **envp)'),
};

/** Throws with the name of the system error when a call returned -1. */
export function must(name, result) {
  if (Number(result) !== -1) return Number(result);
  const code = koffi.errno();
  const known = Object.entries(koffi.os.errno).find(([, value]) => value === code)?.[0];
  throw new Error(`${name} failed with ${known ?? `error ${code}`}`);
}

export const prctl = (name, option, a = 0, b = 0) => must(name, c.prctl(option, a, b, 0, 0));

/** The address of a buffer, for structures that contain pointers. The caller keeps the buffer alive. */
export const addressOf = (buffer) => koffi.address(buffer);
