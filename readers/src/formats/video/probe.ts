import { ExtractError, type Source } from '../../contract.ts';
import { findToolCopies, runTool } from '../../input/external-tool.ts';
import { openFileBytes } from '../../input/file-bytes.ts';

export interface ProbedStream {
  index?: number;
  codec_type?: string;
  codec_name?: string;
  profile?: string;
  width?: number;
  height?: number;
  channels?: number;
  channel_layout?: string;
  sample_rate?: string;
  bit_rate?: string;
  duration?: string;
  avg_frame_rate?: string;
  r_frame_rate?: string;
  pix_fmt?: string;
  bits_per_raw_sample?: string;
  color_space?: string;
  color_transfer?: string;
  color_primaries?: string;
  field_order?: string;
  disposition?: Record<string, number>;
  tags?: Record<string, string>;
  side_data_list?: Record<string, unknown>[];
}

export interface Probed {
  format: { format_name?: string; format_long_name?: string; duration?: string; bit_rate?: string; tags?: Record<string, string> };
  streams: ProbedStream[];
  chapters: { start_time?: string; end_time?: string; tags?: Record<string, string> }[];
}

const MAX_OUTPUT = 8 * 1024 * 1024;
const playlistPrefixes = ['#EXTM3U', 'ffconcat', '<?xml', '<MPD', '[playlist', '[reference', 'concat:', '# EXT'];

/**
 * Runs ffprobe restricted to the local file protocol, with limits on time and output. Playlists are rejected first, because they could make
 * ffprobe open other files.
 */
export async function probe(source: Source): Promise<Probed> {
  const file = openFileBytes(source.path);
  const head = file.read(0, 512).toString('latin1');
  file.close();
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (playlistPrefixes.some((prefix) => text.startsWith(prefix)))
    throw new ExtractError('corrupt', 'The file is a playlist, not a recording.');
  const output = await ffprobe(source, ['-show_format', '-show_streams', '-show_chapters']);
  const parsed = parse(output) as Partial<Probed>;
  if (parsed.format === undefined || parsed.streams === undefined)
    throw new ExtractError('corrupt', 'The file contains no audio or video.');
  return { format: parsed.format, streams: parsed.streams, chapters: parsed.chapters ?? [] };
}

/** Reads the side data of a stream's first frame, which holds HDR10+ and mastering display metadata. */
async function probeFirstFrame(source: Source, streamIndex: number): Promise<Record<string, unknown>[]> {
  const output = await ffprobe(source, [
    '-select_streams',
    String(streamIndex),
    '-read_intervals',
    '%+#1',
    '-show_frames',
    '-show_entries',
    'frame=side_data_list',
  ]);
  const frames = (parse(output) as { frames?: { side_data_list?: Record<string, unknown>[] }[] }).frames ?? [];
  return frames[0]?.side_data_list ?? [];
}

let copies: string[] | undefined;

/** Tries each installed copy of ffprobe, because builds differ in the formats they support. */
async function ffprobe(source: Source, options: string[]): Promise<string> {
  copies ??= findToolCopies('ffprobe');
  if (copies.length === 0) throw new ExtractError('dependency', 'ffprobe is not installed.');
  const args = [
    ...['-v', 'error', '-hide_banner', '-protocol_whitelist', 'file', '-print_format', 'json=compact=1'],
    ...[...options, '-i', `file:${source.path}`],
  ];
  for (const tool of copies) {
    const { code, stdout } = await runTool(tool, args, {
      timeoutSeconds: source.limits.ffprobeTimeoutSeconds,
      maxOutputBytes: MAX_OUTPUT,
    });
    if (code === 0) return stdout.toString('utf8');
  }
  throw new ExtractError('corrupt', 'The recording is damaged or has the wrong file extension.');
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    throw new ExtractError('corrupt', 'The recording is damaged or has the wrong file extension.');
  }
}

/** Reads a tag. ffprobe reports tag names in varying case. */
export function tagOf(holder: { tags?: Record<string, string> }, name: string): string | undefined {
  const tags = holder.tags;
  if (tags === undefined) return undefined;
  const value = tags[name] ?? tags[name.toUpperCase()] ?? tags[Object.keys(tags).find((key) => key.toLowerCase() === name) ?? ''];
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Parses a fraction such as "24000/1001". */
export function fraction(value: unknown): number | undefined {
  const found = /^(-?\d+)\/(\d+)$/.exec(String(value ?? ''));
  if (found === null) return undefined;
  const bottom = Number(found[2]);
  return bottom === 0 ? undefined : Number(found[1]) / bottom;
}

export function positiveNumber(value: unknown): number | undefined {
  const number = Number(value);
  return value !== undefined && value !== null && Number.isFinite(number) && number > 0 ? number : undefined;
}

type SideData = Record<string, unknown>;

/**
 * Detects the HDR format. Stream data reveals PQ, HLG and Dolby Vision, but only the first frame distinguishes HDR10+ from HDR10 and holds
 * light levels. So HDR streams get a second, bounded probe if the setting allows it.
 */
export async function readHdr(source: Source, stream: ProbedStream): Promise<Record<string, unknown>> {
  const dolbyVision = stream.side_data_list?.find((data) => /DOVI/i.test(String(data['side_data_type'])));
  const pq = stream.color_transfer === 'smpte2084';
  const hlg = stream.color_transfer === 'arib-std-b67';
  if (dolbyVision === undefined && !pq && !hlg) return { hdr: false };
  const frame = source.limits.ffprobeDeepHdr && stream.index !== undefined ? await firstFrameSideData(source, stream.index) : [];
  const all = [...(stream.side_data_list ?? []), ...frame];
  const hdr10Plus = all.some((data) => /HDR10\+|2094-40/.test(String(data['side_data_type'])));
  const light = all.find((data) => data['max_content'] !== undefined);
  const master = all.find((data) => data['max_luminance'] !== undefined || data['red_x'] !== undefined);
  return {
    hdr: true,
    hdr_format: dolbyVision !== undefined ? 'Dolby Vision' : hdr10Plus ? 'HDR10+' : pq ? 'HDR10' : 'HLG',
    ...(dolbyVision !== undefined && {
      dv_profile: toFiniteNumber(dolbyVision['dv_profile']),
      dv_level: toFiniteNumber(dolbyVision['dv_level']),
      dv_compat: toFiniteNumber(dolbyVision['dv_bl_signal_compatibility_id']),
    }),
    hdr10_plus: hdr10Plus,
    ...(light !== undefined && { hdr_max_cll: positiveNumber(light['max_content']), hdr_max_fall: positiveNumber(light['max_average']) }),
    ...(master !== undefined && { hdr_master_display: masterDisplay(master) }),
  };
}

/** If the first frame cannot be decoded, only the details are missing. */
async function firstFrameSideData(source: Source, index: number): Promise<SideData[]> {
  try {
    return await probeFirstFrame(source, index);
  } catch (error) {
    if (error instanceof ExtractError) return [];
    throw error;
  }
}

function masterDisplay(data: SideData): Record<string, number> {
  const display: Record<string, number> = {};
  for (const key of [
    'red_x',
    'red_y',
    'green_x',
    'green_y',
    'blue_x',
    'blue_y',
    'white_point_x',
    'white_point_y',
    'min_luminance',
    'max_luminance',
  ]) {
    const value = fraction(data[key]);
    if (value !== undefined) display[key] = Number(value.toFixed(5));
  }
  return display;
}

function toFiniteNumber(value: unknown): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isFinite(number) ? number : undefined;
}
