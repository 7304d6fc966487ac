/** The sandbox task that draws thumbnails: the pool imports this module in its children. */
import type { Source } from '../contract.ts';
import { renderTiers, type Tiers, type TierSizes } from '../render/render-tiers.ts';
import { createThumbnailers, type RenderSettings } from '../render/thumbnailers.ts';

export type ThumbTaskOptions = TierSizes & RenderSettings;

export default async function drawThumbnails(source: Source, options: ThumbTaskOptions): Promise<Tiers | null> {
  return renderTiers(source, options, createThumbnailers(options));
}
