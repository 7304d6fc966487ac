// biome-ignore-all lint/style/noNonNullAssertion: mock data is generated here, so every lookup succeeds
import { LIBRARIES, type MockItem } from './data.ts';
import { ago } from './libraries.ts';

export function itemOut(i: MockItem) {
  const library = LIBRARIES.find((l) => l.id === i.library_id)!;
  const photo = i.file_category === 'image';
  return {
    id: i.id,
    library_id: i.library_id,
    library_name: library.name,
    file_category: i.file_category,
    file_group: i.file_group,
    status: i.status,
    path: `${library.root}/${i.rel_path}`,
    rel_path: i.rel_path,
    native_path: `\\\\nas\\${library.name.toLowerCase()}\\${i.rel_path.replaceAll('/', '\\')}`,
    share_url: null,
    hash_error: null,
    sidecar_of: null,
    symlink_target: null,
    filename: i.filename,
    extension: i.extension,
    size: i.size,
    mtime: new Date(i.mtime * 1000).toISOString(),
    quick_hash: '9f3ac41e5b27d08c',
    content_hash: `9f3ac41e${'a7'.repeat(24)}b27d08c5`,
    nlink: 1,
    title: null,
    year: null,
    metadata: photo
      ? {
          width: 6000,
          height: 4000,
          format: 'JPEG',
          exif: {
            camera_make: 'Sony',
            camera_model: 'α7 IV',
            lens_model: '35 mm f/1.8',
            iso: 400,
            f_number: 4,
            exposure_time: 0.008,
            focal_length: 35,
            taken_at: new Date(i.mtime * 1000).toISOString(),
          },
        }
      : i.duration
        ? { duration: i.duration, width: 3840, height: 2160, video_codec: 'hevc', frame_rate: 29.97, bitrate: 60_000_000 }
        : i.body
          ? {
              pages: 36,
              page_size: '595x842',
              author: 'Lindqvist & Aas Engineering',
              word_count: 11_204,
              origin_url: 'https://www.port.example.org/surveys/2023/report.pdf',
            }
          : i.file_category === 'archive'
            ? {
                archive: {
                  member_count: 1204,
                  total_uncompressed: i.size * 2,
                  members: Array.from({ length: 40 }, (_, k) => ({ name: `2022/IMG_${k}.jpg`, size: 5e6 })),
                },
              }
            : { triangles: 1_204_880, vertices: 602_441 },
    user_metadata: i.note ? { note: i.note } : {},
    tags: i.tags,
    first_seen: ago(500_000),
    last_seen: ago(180),
    last_verified_at: ago(8000),
    has_thumb: true,
    thumb_version: null,
    has_text: i.body !== null,
    may_read_content: true,
    may_download: true,
    last_changed: ago(17_000),
    deleted_at: i.deleted_at,
  };
}

export function treeOf(items: MockItem[], library: string, query: URLSearchParams) {
  const path = query.get('path') ?? '';
  const by = query.get('folders_sort') ?? 'name';
  const from = Number(query.get('folders_offset') ?? 0);
  const prefix = path ? `${path.replace(/\/$/, '')}/` : '';
  const folders = new Map<string, { item_count: number; total_bytes: number; cats: Map<string, number>; deeper: boolean }>();
  const here: MockItem[] = [];
  for (const i of items) {
    if (i.library_id !== library || !i.rel_path.startsWith(prefix)) continue;
    const rest = i.rel_path.slice(prefix.length);
    const cut = rest.indexOf('/');
    if (cut < 0) {
      here.push(i);
      continue;
    }
    const name = rest.slice(0, cut);
    const f = folders.get(name) ?? { item_count: 0, total_bytes: 0, cats: new Map(), deeper: false };
    f.item_count += 1;
    f.total_bytes += i.size;
    f.cats.set(i.file_category, (f.cats.get(i.file_category) ?? 0) + i.size);
    f.deeper ||= rest.indexOf('/', cut + 1) > 0;
    folders.set(name, f);
  }
  return {
    library_id: library,
    library_name: LIBRARIES.find((l) => l.id === library)?.name ?? '',
    path,
    folders: [...folders]
      .map(([name, f]) => ({
        name,
        item_count: f.item_count,
        total_bytes: f.total_bytes,
        has_children: f.deeper,
        main_category: [...f.cats].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null,
      }))
      .sort((a, b) =>
        by === 'size' ? b.total_bytes - a.total_bytes : by === 'count' ? b.item_count - a.item_count : a.name.localeCompare(b.name),
      )
      .slice(from, from + Number(query.get('limit') ?? 100)),
    folders_total: folders.size,
    items: here.slice(0, 200),
    total_items: here.length,
    total_files: here.length + [...folders.values()].reduce((n, f) => n + f.item_count, 0),
    total_bytes: here.reduce((n, i) => n + i.size, 0) + [...folders.values()].reduce((n, f) => n + f.total_bytes, 0),
  };
}
