export interface ShippedPreset {
  name: string;
  label: string;
  patterns: readonly string[];
  /** Used by every library that does not disable it by `-name`. */
  defaultOn: boolean;
  caveat: string | null;
}

const lines = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

/** The built-in presets in the order they apply. They are read-only; a fork can be edited. */
export const shippedPresets: readonly ShippedPreset[] = [
  {
    name: 'system_files',
    label: 'System files',
    defaultOn: false,
    caveat: 'Also skips shortcuts (.lnk) and backup files that end in a tilde.',
    patterns: lines(`
      $RECYCLE.BIN/
      System Volume Information/
      .Trashes/
      .Trash-*/
      .fseventsd/
      .Spotlight-V100/
      .DocumentRevisions-V100/
      .TemporaryItems/
      lost+found/
      [Dd]esktop.ini
      [Tt]humbs.db
      [Tt]humbs.db:encryptable
      ehthumbs.db
      ehthumbs_vista.db
      *.lnk
      .directory
      .fuse_hidden*
      .nfs*
      *~
      nohup.out`),
  },
  {
    name: 'hidden_dotfiles',
    label: 'Hidden files and folders',
    defaultOn: true,
    caveat: 'Excludes every file and folder whose name starts with a dot.',
    patterns: ['.*'],
  },
  {
    name: 'caches_temp',
    label: 'Caches and temporary files',
    defaultOn: false,
    caveat: 'Skips all folders named tmp or temp, whatever they contain.',
    patterns: lines(`
      tmp/
      temp/
      .cache/
      __pycache__/
      .pytest_cache/
      .tox/
      .direnv/
      .ccls-cache/
      .parcel-cache/
      .nyc_output/
      *.tmp
      *.cache
      *.pyc
      \\#*`),
  },
  {
    name: 'node_modules_build',
    label: 'Build output and packages',
    defaultOn: false,
    caveat: 'Skips all folders named dist or target, whatever they contain.',
    patterns: lines(`
      node_modules/
      jspm_packages/
      bower_components/
      .pnpm-store/
      dist/
      .next/
      .nuxt/
      .svelte-kit/
      .vite/
      target/
      .venv/
      venv/
      .eslintcache
      *.tsbuildinfo
      *.pyc
      npm-debug.log*`),
  },
  {
    name: 'os_metadata',
    label: 'Desktop metadata',
    defaultOn: false,
    caveat: null,
    patterns: ['.DS_Store', '._*', 'Icon[\r]', '[Tt]humbs.db', '[Dd]esktop.ini'],
  },
];

/**
 * The presets that apply to a library: built-in ones in their order, then custom ones by name. In `enabled`, `-name` disables a default
 * preset; unknown names are ignored.
 */
export function effectivePresets(
  enabled: readonly string[],
  custom: readonly { name: string; patterns: readonly string[] }[],
): { name: string; patterns: readonly string[] }[] {
  const on = new Set(enabled);
  return [
    ...shippedPresets.filter(({ name, defaultOn }) => !on.has(`-${name}`) && (defaultOn || on.has(name))),
    ...custom.filter(({ name }) => on.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  ].map(({ name, patterns }) => ({ name, patterns }));
}

/** Named sets of extensions that older clients show in their library form. */
export const extensionGroups: readonly { name: string; label: string; file_category: string; extensions: readonly string[] }[] = [
  { name: 'raw_photos', label: 'Camera raw photos', file_category: 'image', extensions: ['cr2', 'cr3', 'nef', 'arw', 'dng', 'raf'] },
  { name: 'editable_images', label: 'Editable images', file_category: 'image', extensions: ['psd', 'tif', 'tiff'] },
  { name: 'jpeg_family', label: 'JPEG photos', file_category: 'image', extensions: ['jpg', 'jpeg'] },
  { name: 'office_docs', label: 'Office documents', file_category: 'document', extensions: ['doc', 'docx', 'odt', 'rtf'] },
  { name: 'ebooks', label: 'E-books and comics', file_category: 'document', extensions: ['epub', 'mobi', 'azw3', 'cbz', 'cbr'] },
  { name: 'lossless_audio', label: 'Lossless audio', file_category: 'audio', extensions: ['flac', 'alac', 'wav', 'ape', 'wv'] },
  { name: 'lossy_audio', label: 'Lossy audio', file_category: 'audio', extensions: ['mp3', 'ogg', 'opus', 'm4a', 'wma'] },
];
