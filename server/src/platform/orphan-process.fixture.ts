import { connectToSupervisor } from './processes.ts';

/** A child process that is ready only after its supervisor has gone. */
while (process.connected) await new Promise((resolve) => setTimeout(resolve, 5));
connectToSupervisor(() => process.stdout.write('orphaned')).ready();
