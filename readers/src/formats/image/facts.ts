import type { Exif } from './exif.ts';
import type { Xmp } from './xmp.ts';

/** What a reader of one image format gives; the image extractor turns it into metadata. */
export interface ImageFacts {
  format: string;
  width?: number;
  height?: number;
  /** Colour mode in the short names of image editors: L, LA, RGB, RGBA, CMYK, P, 1. */
  mode?: string;
  color_space?: string;
  bit_depth?: number;
  has_alpha?: boolean;
  progressive?: boolean;
  dpi?: number;
  orientation?: number;
  animated?: boolean;
  frames?: number;
  duration?: number;
  pages?: number;
  icon_sizes?: string[];
  layers?: number;
  color_profile?: string;
  dicom?: Record<string, unknown>;
  exif?: Exif;
  xmp?: Xmp;
  title?: string;
  text?: { bodyText?: string; bodyTextTruncated?: boolean };
}
