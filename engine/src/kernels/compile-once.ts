import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/**
 * A module, compiled once in a process; null where the processor or the runtime knows no SIMD. V8 keeps one book of code pages for all
 * threads and loses its way in it when one thread gives a module's code back while another makes some, which ends the process. So whoever
 * starts a thread compiles first, the thread gets the same module with its environment, and its code is never given back.
 */
export function compileOnce(name: string, base64: string): WebAssembly.Module | null {
  const key = `catalog kernels: ${name}`;
  const known = getEnvironmentData(key) as WebAssembly.Module | null | undefined;
  if (known !== undefined) return known;
  const bytes = Buffer.from(base64, 'base64');
  const made = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  setEnvironmentData(key, made as never);
  return made;
}
