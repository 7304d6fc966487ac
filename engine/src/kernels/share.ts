import { questionModule } from './load.ts';
import { wordModule } from './words.ts';

/** Before a thread is started: what it will need is compiled here, once for all threads of the process. */
export function shareKernels(): void {
  questionModule();
  wordModule();
}
