/** The sandbox task that draws the views of a 3D model for turning it. */
import type { Source } from '../contract.ts';
import { drawTurntable } from '../render/turntable.ts';

export default (source: Source): Promise<Buffer | null> => drawTurntable(source);
