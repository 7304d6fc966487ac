/** Prints what the host offers, for a process that must not block meanwhile. */
import { probeHost } from './probe.ts';

process.stdout.write(JSON.stringify(probeHost()));
