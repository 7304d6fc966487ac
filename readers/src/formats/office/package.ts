/** The zip package of an office document; a password turns such a file into an OLE container, which is said as what it is. */
import { ExtractError, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge } from '../../input/file-bytes.ts';
import { openZip, type Zip } from '../../input/zip.ts';

export function openOfficePackage(file: FileBytes, source: Source): Zip {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  if (file.read(0, 4).toString('hex') === 'd0cf11e0') throw new ExtractError('corrupt', 'The document is protected by a password.');
  const zip = openZip(file, source.limits);
  if (zip.truncated)
    throw new ExtractError('guard', `The document has ${zip.declaredCount} parts; the ceiling is ${source.limits.archiveMaxMembers}.`);
  return zip;
}
