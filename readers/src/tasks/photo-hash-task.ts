/** The sandbox task that computes the perceptual hash of a picture. */
import type { Source } from '../contract.ts';
import { hashPhoto } from '../render/photo-hash.ts';

export default (source: Source): Promise<string | null> => hashPhoto(source);
