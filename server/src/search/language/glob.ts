/** `*` as a regular expression of PostgreSQL. Everything else is taken literally; such expressions cannot run away. */
export function globPattern(glob: string, star = '.*'): string {
  return glob
    .split('*')
    .map((part) => part.replace(/[.^$|()[\]{}\\+?]/g, '\\$&'))
    .join(star);
}

/** A path glob matches the item or one of its folders; one star stays inside a folder, two cross folders. */
export function pathPattern(glob: string): string {
  const pieces = glob.split('**').map((piece) => globPattern(piece, '[^/]*'));
  return `^${pieces.join('.*')}(/|$)`;
}
