/** The sandbox task that draws thumbnails. */
import type { Source } from '../contract.ts';
import {
  createThumbnailers,
  type RenderSettings,
  renderTiers,
  type ThumbnailTierSizes,
  type ThumbnailTiers,
} from '../render/thumbnails.ts';

export type ThumbTaskOptions = ThumbnailTierSizes & RenderSettings;

export default async function drawThumbnails(source: Source, options: ThumbTaskOptions): Promise<ThumbnailTiers | null> {
  return renderTiers(source, options, createThumbnailers(options));
}
