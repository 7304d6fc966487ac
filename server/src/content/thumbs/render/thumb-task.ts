/** The sandbox task that draws thumbnails: the pool imports this module in its children. */
import type { Source } from '../../extract/index.ts';
import { renderTiers, type Tiers, type TierSizes } from './render-tiers.ts';
import { createThumbnailers, type RenderSettings } from './thumbnailers.ts';

export type ThumbTaskOptions = TierSizes & RenderSettings;

export default async function drawThumbnails(source: Source, options: ThumbTaskOptions): Promise<Tiers | null> {
  return renderTiers(source, options, createThumbnailers(options));
}
