import type { Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';

/** A picture file larger than this is not drawn. */
const maxPictureBytes = 512 * 1024 * 1024;

/**
 * The bytes of a picture. They are handed over as a buffer, not as a path: formats that can name other files then have no folder to
 * look in, and names of files never reach the library.
 */
export function readPictureFile(source: Source): Buffer {
  return readWholeFile(source, maxPictureBytes);
}
