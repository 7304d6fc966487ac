/** Gives every file a name that is unique regardless of case and valid on all systems: "photo.jpg", "photo (2).jpg". */
export function createNames(): (filename: string) => string {
  const taken = new Set<string>();
  return (filename) => {
    const safe = filename.toWellFormed().replace(/[\u0000-\u001f\u007f<>:"|?*\\/]/g, '_') || '_';
    const dot = safe.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, ''];
    let name = safe;
    for (let n = 2; taken.has(name.normalize('NFC').toLowerCase()); n += 1) name = `${stem} (${n})${ending}`;
    taken.add(name.normalize('NFC').toLowerCase());
    return name;
  };
}
