/**
 * Which kind of high dynamic range a picture has. The stream says PQ or HLG and Dolby Vision; only the first frame tells HDR10+ from HDR10
 * and carries the light levels, so HDR streams get one extra bounded probe when the setting allows it.
 */
import { ExtractError, type Source } from '../../contract.ts';
import { type ProbedStream, probeFirstFrame } from './probe.ts';
import { fraction, positiveNumber } from './probe-values.ts';

type SideData = Record<string, unknown>;

export async function readHdr(source: Source, stream: ProbedStream): Promise<Record<string, unknown>> {
  const vision = stream.side_data_list?.find((data) => /DOVI/i.test(String(data['side_data_type'])));
  const pq = stream.color_transfer === 'smpte2084';
  const hlg = stream.color_transfer === 'arib-std-b67';
  if (vision === undefined && !pq && !hlg) return { hdr: false };
  const frame = source.limits.ffprobeDeepHdr && stream.index !== undefined ? await firstFrameSideData(source, stream.index) : [];
  const all = [...(stream.side_data_list ?? []), ...frame];
  const plus = all.some((data) => /HDR10\+|2094-40/.test(String(data['side_data_type'])));
  const light = all.find((data) => data['max_content'] !== undefined);
  const master = all.find((data) => data['max_luminance'] !== undefined || data['red_x'] !== undefined);
  return {
    hdr: true,
    hdr_format: vision !== undefined ? 'Dolby Vision' : plus ? 'HDR10+' : pq ? 'HDR10' : 'HLG',
    ...(vision !== undefined && {
      dv_profile: toFiniteNumber(vision['dv_profile']),
      dv_level: toFiniteNumber(vision['dv_level']),
      dv_compat: toFiniteNumber(vision['dv_bl_signal_compatibility_id']),
    }),
    hdr10_plus: plus,
    ...(light !== undefined && { hdr_max_cll: positiveNumber(light['max_content']), hdr_max_fall: positiveNumber(light['max_average']) }),
    ...(master !== undefined && { hdr_master_display: masterDisplay(master) }),
  };
}

/** A stream whose first frame cannot be decoded is still HDR; only the finer facts are missing. */
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
