import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { blockBytes, createTarReader, type TarMember } from './tar-headers.ts';

const truncatedTar = (): ExtractError => new ExtractError('corrupt', 'The file ends too early.');

/** Gives each member; false stops the walk. */
type TarVisitor = (member: TarMember, bodyOffset: number) => boolean;

/** Walks a plain tar by seeking from header to header: a terabyte archive costs its headers only. */
export function walkTarFile(file: FileBytes, visit: TarVisitor): void {
  const reader = createTarReader();
  let at = 0;
  while (at + blockBytes <= file.size) {
    const step = reader.header(file.need(at, blockBytes));
    at += blockBytes;
    if (step.end) break;
    if (step.collect !== undefined) {
      reader.name(file.need(at, step.collect));
      at += step.collect;
    }
    if (step.member && !visit(step.member, at)) return;
    if (step.skip > file.size - at) throw truncatedTar();
    at += step.skip;
  }
  if (!reader.started && (file.size < blockBytes || !firstBlockIsZero(file)))
    throw new ExtractError('corrupt', 'This is not a tar archive.');
}

function firstBlockIsZero(file: FileBytes): boolean {
  return file.need(0, blockBytes).every((byte) => byte === 0);
}

/** Takes an unpacked tar in pieces of any size. `push` answers false when the visitor has had enough. */
export function createTarSink(visit: TarVisitor) {
  const reader = createTarReader();
  let skip = 0;
  let need = blockBytes;
  let collecting = false;
  let done = false;
  let total = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;

  const takeBlock = (block: Buffer): void => {
    held = [];
    heldBytes = 0;
    if (collecting) {
      collecting = false;
      need = blockBytes;
      reader.name(block);
      return;
    }
    const step = reader.header(block);
    if (step.end) {
      done = true;
      return;
    }
    collecting = step.collect !== undefined && step.collect > 0;
    need = collecting ? step.collect! : blockBytes;
    if (step.member && !visit(step.member, total)) done = true;
    skip = step.skip;
  };

  return {
    push(chunk: Buffer): boolean {
      let at = 0;
      while (!done && at < chunk.length) {
        const jump = Math.min(skip, chunk.length - at);
        skip -= jump;
        at += jump;
        if (at >= chunk.length) break;
        const piece = chunk.subarray(at, at + need - heldBytes);
        held.push(piece);
        heldBytes += piece.length;
        at += piece.length;
        total += piece.length;
        if (heldBytes === need) takeBlock(held.length === 1 ? piece : Buffer.concat(held));
      }
      return !done;
    },
    /** Called at the end of the stream: a member cut short or no header at all is damage. */
    finish(): void {
      if (done) return;
      if (skip > 0 || heldBytes > 0) throw truncatedTar();
      if (!reader.started) throw new ExtractError('corrupt', 'This is not a tar archive.');
    },
  };
}
