import { existsSync } from 'node:fs';
import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { extractFrame } from './other-images.ts';
import { decodeToEdge, loadSharp, type RenderedImage } from './pixels.ts';

export type Acceleration = 'auto' | 'off';

const extensions = (
  'mp4 m4v mov mkv webm avi wmv flv f4v mpg mpeg mpe m2v m1v mpv ts mts m2ts m2t vob ogv ogm 3gp 3g2 3gpp asf divx dv mxf ' +
  'rm rmvb qt y4m nsv wtv dvr-ms mod tod amv gifv hevc h264 h265 264 265 avc av1 fmp4 roq gxf swf mng fli flc'
).split(' ');

/** Poster frames from a tenth of the duration, or later while the frame is black. */
export function createVideoThumbnails(acceleration: Acceleration): Thumbnailer {
  return {
    name: 'video',
    version: 2,
    extensions,
    tools: [{ name: 'ffmpeg', lost: 'Poster frames of videos.' }],
    async render(source, longestEdge) {
      const { duration, hasPicture } = await probeVideo(source);
      if (!hasPicture) return null;
      const moments = duration > 1 ? [0.1, 0.25, 0.5].map((part) => duration * part) : [0];
      let brightest: { rendered: RenderedImage; brightness: number } | undefined;
      for (const moment of moments) {
        const frame = await frameAt(source, longestEdge, moment, acceleration);
        if (frame === null) continue;
        const rendered = await decodeToEdge(frame, longestEdge);
        const brightness = await brightnessOf(rendered);
        if (brightest === undefined || brightness > brightest.brightness) brightest = { rendered, brightness };
        if (brightness > 12) break;
      }
      if (brightest === undefined) throw new ExtractError('corrupt', 'No frame of the video can be decoded.');
      return brightest.rendered;
    },
  };
}

/** Extensions that videos share with source code and tracker music. */
const ambiguousExtensions = new Set(['ts', 'mts', 'mod']);

/** `hasPicture` is false for recordings without a video stream and for other files with an ambiguous extension. Neither is an error. */
async function probeVideo(source: Source): Promise<{ duration: number; hasPicture: boolean }> {
  const ffprobe = findTool('ffprobe');
  if (ffprobe === null) return { duration: 0, hasPicture: true };
  const entries = 'format=duration:stream=codec_type';
  const args = ['-v', 'error', '-protocol_whitelist', 'file', '-show_entries', entries, '-of', 'json', `file:${source.path}`];
  const result = await runTool(ffprobe, args, { timeoutSeconds: source.limits.ffprobeTimeoutSeconds, maxOutputBytes: 262_144 });
  const { streams = [], format } = parseProbeResult(result.stdout);
  const seconds = Number.parseFloat(format?.duration ?? '');
  const isKnown = streams.length > 0 || ambiguousExtensions.has(source.extension);
  return {
    duration: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
    hasPicture: !isKnown || streams.some((stream) => stream.codec_type === 'video'),
  };
}

interface ProbeResult {
  streams?: { codec_type?: string }[];
  format?: { duration?: string };
}

function parseProbeResult(printed: Buffer): ProbeResult {
  try {
    return JSON.parse(printed.toString('utf8')) as ProbeResult;
  } catch {
    // ffprobe prints nothing for files it cannot read.
    return {};
  }
}

/** Uses hardware decoding when it is not disabled and the host has a render device. */
export function accelerationArguments(acceleration: Acceleration, devicePresent: boolean): string[] {
  return acceleration === 'auto' && devicePresent ? ['-hwaccel', 'auto'] : [];
}

/** The frame at `moment`. Falls back to software decoding, then to the first frame of a file that cannot be seeked. */
async function frameAt(source: Source, longestEdge: number, moment: number, acceleration: Acceleration): Promise<Buffer | null> {
  const hardware = accelerationArguments(acceleration, existsSync('/dev/dri'));
  const seek = moment > 0 ? ['-ss', moment.toFixed(3)] : [];
  const attempts = [[...hardware, ...seek], ...(hardware.length > 0 ? [seek] : []), ...(moment > 0 ? [[]] : [])];
  for (const attempt of attempts) {
    const frame = await extractFrame(source, longestEdge, ['-threads', '1', ...attempt]);
    if (frame !== null) return frame;
  }
  return null;
}

/** Mean brightness of the colour channels, 0 to 255. */
async function brightnessOf({ data, raw }: RenderedImage): Promise<number> {
  const sharp = await loadSharp();
  const { channels } = await sharp(data, raw && { raw }).stats();
  return channels.slice(0, 3).reduce((sum, { mean }) => sum + mean, 0) / 3;
}
