/**
 * ffprobe under a short leash: only the local file protocol, no playlist that could lead it to another file, a wall clock and a cap on its
 * output. A file whose first bytes are a playlist is refused before ffprobe sees it.
 */
import { ExtractError, type Source } from '../../contract.ts';
import { openFileBytes } from '../../input/file-bytes.ts';
import { copiesOfTool, runTool } from '../../input/external-tool.ts';

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

export async function probe(source: Source): Promise<Probed> {
  const file = openFileBytes(source.path);
  const head = file.read(0, 512).toString('latin1');
  file.close();
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  const text = head.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (playlistPrefixes.some((lead) => text.startsWith(lead))) throw new ExtractError('corrupt', 'The file is a playlist, not a recording.');
  const printed = await ffprobe(source, ['-show_format', '-show_streams', '-show_chapters']);
  const parsed = parse(printed) as Partial<Probed>;
  if (parsed.format === undefined || parsed.streams === undefined) throw new ExtractError('corrupt', 'The file holds no recording.');
  return { format: parsed.format, streams: parsed.streams, chapters: parsed.chapters ?? [] };
}

/** Side data of the first frame of a stream: where HDR10+ and mastering facts stand. */
export async function probeFirstFrame(source: Source, streamIndex: number): Promise<Record<string, unknown>[]> {
  const printed = await ffprobe(source, [
    '-select_streams',
    String(streamIndex),
    '-read_intervals',
    '%+#1',
    '-show_frames',
    '-show_entries',
    'frame=side_data_list',
  ]);
  const frames = (parse(printed) as { frames?: { side_data_list?: Record<string, unknown>[] }[] }).frames ?? [];
  return frames[0]?.side_data_list ?? [];
}

let copies: string[] | undefined;

/** What one copy of ffprobe cannot read, the next may. */
async function ffprobe(source: Source, what: string[]): Promise<string> {
  copies ??= copiesOfTool('ffprobe');
  if (copies.length === 0) throw new ExtractError('dependency', 'ffprobe is not installed.');
  const args = [
    ...['-v', 'error', '-hide_banner', '-protocol_whitelist', 'file', '-print_format', 'json=compact=1'],
    ...[...what, '-i', `file:${source.path}`],
  ];
  for (const tool of copies) {
    const { code, stdout } = await runTool(tool, args, {
      timeoutSeconds: source.limits.ffprobeTimeoutSeconds,
      maxOutputBytes: MAX_OUTPUT,
    });
    if (code === 0) return stdout.toString('utf8');
  }
  throw new ExtractError('corrupt', 'The recording is damaged or not what its name says.');
}

function parse(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    throw new ExtractError('corrupt', 'The recording is damaged or not what its name says.');
  }
}
