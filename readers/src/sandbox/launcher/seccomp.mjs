/**
 * The seccomp filter: a reader opens no socket, traces no process, creates no namespace and no mount, changes no attribute of
 * a file, and uses none of the kernel's administrative or rarely tested interfaces. Forbidden calls return EPERM, so that libraries fall back or fail cleanly.
 */
const [x64, arm64] = [0, 1];
const table = {
  socket: [41, 198],
  connect: [42, 203],
  accept: [43, 202],
  bind: [49, 200],
  listen: [50, 201],
  accept4: [288, 242],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  process_madvise: [440, 440],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  fanotify_init: [300, 262],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  personality: [135, 92],
  vhangup: [153, 58],
  lookup_dcookie: [212, 18],
  // Landlock does not cover modes, owners, times and attributes of files.
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  fchown: [93, 55],
  fchownat: [260, 54],
  utimensat: [280, 88],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  setxattrat: [463, 463],
  removexattrat: [466, 466],
  // Shared memory, semaphores and message queues that outlive a process.
  shmget: [29, 194],
  shmat: [30, 196],
  semget: [64, 190],
  msgget: [68, 186],
  mq_open: [240, 180],
};
/** Only on x64: port access, descriptor tables, and older forms of the calls above. */
const x64Only = [172, 173, 154, 134, 174, 180, ...[90, 92, 94, 132, 235, 261]];

const arch = process.arch === 'arm64' ? arm64 : x64;
const audit = [0xc000003e, 0xc00000b7][arch];
const [clone, clone3, prctlNumber] = [[56, 220][arch], 435, [157, 167][arch]];
/** The numbers of system calls on this machine. */
export const numbers = {
  ...Object.fromEntries(Object.entries(table).map(([name, pair]) => [name, pair[arch]])),
  seccomp: [317, 277][arch],
};

/** Flags of clone() that create a namespace. */
const newNamespaces = 0x7e02_0000;
const [allow, killProcess, errno] = [0x7fff_0000, 0x8000_0000, (code) => 0x0005_0000 + code];
const [EPERM, ENOSYS] = [1, 38];
const [prSetDeathSignal, sigkill] = [1, 9];
const bpf = { load: 0x20, equal: 0x15, atLeast: 0x35, anyBit: 0x45, return: 0x06 };

/** Returns the program of classic BPF; each instruction has eight bytes. */
export function seccompFilter() {
  const program = [];
  const add = (code, k, whenTrue = 0, whenFalse = 0) => program.push([code, whenTrue, whenFalse, k]);
  const at = { number: 0, arch: 4, firstArgument: 16, secondArgument: 24 };
  add(bpf.load, at.arch);
  add(bpf.equal, audit, 1, 0);
  add(bpf.return, killProcess);
  add(bpf.load, at.number);
  // The x32 interface of x64 kernels would bypass the numbers below.
  if (arch === x64) {
    add(bpf.atLeast, 0x4000_0000, 0, 1);
    add(bpf.return, errno(ENOSYS));
  }
  const denied = [...Object.values(table).map((pair) => pair[arch]), ...(arch === x64 ? x64Only : [])];
  for (const number of denied) {
    add(bpf.equal, number, 0, 1);
    add(bpf.return, errno(EPERM));
  }
  // clone3 passes its flags in memory, which a filter cannot read; the C library falls back to clone.
  add(bpf.equal, clone3, 0, 1);
  add(bpf.return, errno(ENOSYS));
  add(bpf.equal, clone, 0, 4);
  add(bpf.load, at.firstArgument);
  add(bpf.anyBit, newNamespaces, 0, 1);
  add(bpf.return, errno(EPERM));
  add(bpf.return, allow);
  // A reader may not give up dying with its parent, but may pass that rule on to its tools.
  add(bpf.equal, prctlNumber, 0, 5);
  add(bpf.load, at.firstArgument);
  add(bpf.equal, prSetDeathSignal, 0, 3);
  add(bpf.load, at.secondArgument);
  add(bpf.equal, sigkill, 1, 0);
  add(bpf.return, errno(EPERM));
  add(bpf.return, allow);
  return assemble(program);
}

/** Instructions as [code, jump when true, jump when false, operand]. */
export function assemble(program) {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, whenTrue, whenFalse, k]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(k, index * 8 + 4);
  }
  return bytes;
}
