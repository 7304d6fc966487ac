// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
/** A seeded random number generator, so that the mock has the same files on every start. */
export function seeded(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

export function uuid(n: number): string {
  const hex = (n * 2654435761 + 12345).toString(16).padStart(12, '0').slice(-12);
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${hex}`;
}

export interface MockItem {
  id: string;
  n: number;
  library_id: string;
  rel_path: string;
  filename: string;
  extension: string;
  file_category: string;
  file_group: string;
  size: number;
  mtime: number;
  tags: string[];
  status: 'active' | 'missing' | 'trashed';
  geo: { lat: number; lng: number } | null;
  body: string | null;
  note: string;
  duration: number | null;
  deleted_at: string | null;
}

const KINDS: [category: string, group: string, exts: string[], sizeLog: [number, number], weight: number][] = [
  ['image', 'photo', ['jpg', 'jpg', 'jpg', 'heic', 'png'], [5.8, 1.2], 46],
  ['image', 'raw-photo', ['ARW', 'CR3', 'NEF', 'dng'], [7.2, 0.3], 14],
  ['document', 'pdf', ['pdf'], [5.6, 1.2], 10],
  ['document', 'office', ['docx', 'xlsx', 'pptx', 'odt'], [4.8, 1], 6],
  ['video', 'video', ['mp4', 'mov', 'mkv'], [8.6, 1], 7],
  ['audio', 'music', ['flac', 'mp3', 'wav'], [7.2, 0.8], 5],
  ['three-d-cad', 'mesh', ['stl', '3mf', 'obj', 'dxf'], [6.8, 1], 4],
  ['archive', 'zip', ['zip', 'tar.gz', '7z'], [8, 1.2], 3],
  ['development', 'source', ['py', 'ts', 'ipynb', 'json'], [3.6, 1], 3],
  ['system', 'email', ['eml', 'mbox'], [4.5, 0.8], 1],
  ['other', 'other', ['bin', 'dat'], [4, 1], 1],
];
const PLACES: [string, number, number][] = [
  ['Bergen', 60.39, 5.32],
  ['Rotterdam', 51.92, 4.48],
  ['Lofoten', 68.2, 13.9],
  ['Oslo', 59.91, 10.75],
  ['Iceland', 64.1, -21.9],
  ['Lisbon', 38.72, -9.14],
  ['Venice', 45.43, 12.33],
  ['Hamburg', 53.55, 9.99],
  ['Marseille', 43.3, 5.37],
  ['Gdansk', 54.35, 18.65],
  ['Split', 43.51, 16.44],
  ['Stockholm', 59.33, 18.07],
  ['Athens', 37.98, 23.73],
  ['Kyoto', 35.01, 135.77],
  ['Cape Town', -33.92, 18.42],
  ['Buenos Aires', -34.6, -58.38],
  ['New York', 40.71, -74],
];
const SUBJECTS = [
  'harbour',
  'crane',
  'fjord',
  'lighthouse',
  'market',
  'old-town',
  'mooring',
  'ferry',
  'pier',
  'boats',
  'storm',
  'sunset',
  'workshop',
  'family',
  'portrait',
  'mountain',
  'bridge',
  'garden',
  'winter',
  'trail',
];
const MOODS = ['evening', 'morning', 'lights', 'dawn', 'final', 'v2', 'draft', 'walk', 'detail', 'wide', 'copy', 'survey', 'noon', 'night'];
const TAGS = [
  'bergen',
  'port authority',
  'print',
  'final',
  'evening',
  'family',
  'client',
  'scan',
  'favourite',
  'to sort',
  'calendar 2024',
  'exhibition',
];
const SENTENCES = [
  'The load test of the north harbour crane was repeated after the brake pads were replaced.',
  'The fee for the inner harbour rises to 412 a month from March; see the attached list.',
  'Wind at the harbour mouth stayed under nine metres a second throughout.',
  'The east rail has settled by six millimetres between bollards eleven and fourteen.',
  'Both passing runs were witnessed by the insurer.',
  'We advise a yearly level check along the inner wall of the old harbour.',
  'The ferry keeps the mooring on the west pier until the workshop is finished.',
];
export const LIBRARIES = [
  { id: uuid(901), name: 'Photos', root: '/mnt/photos', share: 0.62 },
  { id: uuid(902), name: 'Studio', root: '/mnt/studio', share: 0.18 },
  { id: uuid(903), name: 'Documents', root: '/srv/documents', share: 0.14 },
  { id: uuid(904), name: 'Family archive', root: '/mnt/nas/family', share: 0.05 },
  { id: uuid(905), name: 'Cold disk 04', root: '/media/cold-04', share: 0.01 },
] as const;

function folder(library: string, category: string, random: () => number, year: number): string {
  const month = String(1 + Math.floor(random() * 12)).padStart(2, '0');
  if (library === 'Documents') return `Clients/${pick(random, ['Port authority', 'Lindqvist & Aas', 'Municipality'])}/${year}/`;
  if (library === 'Studio')
    return category === 'three-d-cad'
      ? `Models/boats/${pick(random, ['tug', 'trawler', 'pilot'])}/`
      : `${pick(random, ['Field recordings', 'Renders', 'Drawings', 'Notebooks', 'Video'])}/${year}/`;
  if (library === 'Family archive')
    return `${pick(random, ['Scans', 'Video/Hi8 transfers', 'Letters'])}/${1931 + Math.floor(random() * 60)}/`;
  return `${year}/${year}-${month} ${PLACES[(year * 12 + Number(month)) % PLACES.length]![0]}/${category === 'video' ? 'drone/' : random() < 0.2 ? 'raw/' : ''}`;
}

const SPECIAL_NAMES = [
  'Ein sehr langer Dateiname, der kein Ende nimmt, weil jemand den ganzen Inhalt des Berichts in den Namen schreiben wollte – endgültige Fassung (überarbeitet).pdf',
  'تقرير الميناء النهائي ٢٠٢٣ harbour.pdf',
  '港の写真_2023_夕方_harbour.jpg',
  'quarterlyReport harbour  two spaces.docx',
];

export function makeItems(total: number): MockItem[] {
  const random = seeded(42);
  const weights = KINDS.flatMap((kind) => Array.from({ length: kind[4] }, () => kind));
  const items: MockItem[] = [];
  for (let n = 0; n < total; n += 1) {
    const kind = pick(random, weights);
    const spin = random();
    let acc = 0;
    const library = LIBRARIES.find((one) => {
      acc += one.share;
      return spin < acc;
    })!;
    const [, lat, lng] = pick(random, PLACES);
    const year = 2019 + Math.floor(random() ** 0.7 * 6);
    const extension = pick(random, kind[2]);
    const subject = random() < 0.12 ? 'harbour' : pick(random, SUBJECTS);
    const name =
      SPECIAL_NAMES[n - 3] ??
      `${kind[0] === 'image' ? `IMG_${4000 + (n % 6000)}_` : ''}${subject}-${pick(random, MOODS)}${kind[0] === 'image' ? '' : ` ${n % 97}`}.${extension}`;
    const month = Math.floor(random() * 12);
    const [mean, spread] = kind[3];
    const text = kind[0] === 'document' || kind[1] === 'email' || kind[0] === 'development';
    items.push({
      id: uuid(n + 1),
      n,
      library_id: library.id,
      rel_path: folder(library.name, kind[0], random, year) + name,
      filename: name,
      extension: name
        .slice(name.indexOf('.', 1) + 1)
        .toLowerCase()
        .slice(-6),
      file_category: kind[0],
      file_group: kind[1],
      size: Math.round(10 ** (mean + (random() + random() + random() - 1.5) * spread)),
      mtime: Math.floor(Date.UTC(year, month, 1 + Math.floor(random() * 27), Math.floor(random() * 24), Math.floor(random() * 60)) / 1000),
      tags:
        random() < 0.25
          ? [pick(random, TAGS), ...(random() < 0.4 ? [pick(random, TAGS)] : [])].filter((t, i, a) => a.indexOf(t) === i)
          : [],
      status: random() < 0.01 ? 'missing' : 'active',
      geo:
        kind[0] === 'image' && library.name === 'Photos' && random() < 0.6
          ? { lat: lat + (random() - 0.5) * 0.8, lng: lng + (random() - 0.5) * 1.2 }
          : null,
      body: text ? Array.from({ length: 6 }, () => pick(random, SENTENCES)).join(' ') : null,
      note: '',
      duration: kind[0] === 'video' || kind[0] === 'audio' ? 20 + Math.floor(random() * 900) : null,
      deleted_at: null,
    });
  }
  return items;
}

export const CATEGORY_LABELS: [string, string, string[]][] = [
  ['image', 'Image', ['jpg', 'jpeg', 'png', 'heic', 'arw', 'cr3', 'psd', 'tif']],
  ['audio', 'Audio', ['flac', 'mp3', 'wav', 'm4a', 'opus']],
  ['video', 'Video', ['mp4', 'mov', 'mkv', 'avi']],
  ['document', 'Document', ['pdf', 'docx', 'odt', 'xlsx', 'epub', 'txt']],
  ['three-d-cad', '3D & CAD', ['stl', '3mf', 'obj', 'dxf', 'step']],
  ['development', 'Development', ['py', 'ts', 'js', 'rs', 'ipynb']],
  ['archive', 'Archive', ['zip', 'tar', '7z', 'rar']],
  ['system', 'System', ['eml', 'log', 'iso', 'exe']],
  ['other', 'Other', ['bin', 'dat']],
];
export const PRESETS = [
  {
    name: 'system_files',
    label: 'System clutter',
    patterns: ['.DS_Store', '[Tt]humbs.db', 'desktop.ini', '$RECYCLE.BIN/'],
    default_enabled: false,
    builtin: true,
    caveat: 'Thumbnail caches, .DS_Store, Thumbs.db.',
  },
  {
    name: 'node_modules_build',
    label: 'Developer folders',
    patterns: ['node_modules/', '.git/', 'dist/', 'target/'],
    default_enabled: false,
    builtin: true,
    caveat: 'node_modules, .git, build output.',
  },
  {
    name: 'hidden_dotfiles',
    label: 'Hidden files and folders',
    patterns: ['.*'],
    default_enabled: true,
    builtin: true,
    caveat: 'Names that start with a dot.',
  },
  {
    name: 'proxies',
    label: 'Video proxies',
    patterns: ['*_proxy.mov', 'Proxy Media/'],
    default_enabled: false,
    builtin: false,
    caveat: null,
  },
];
