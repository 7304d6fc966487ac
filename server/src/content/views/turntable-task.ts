/** The sandbox task that draws a model from all around: the pool imports this module in its children. */
import type { Source } from '../extract/index.ts';
import { drawTurntable } from '../thumbs/index.ts';

export default (source: Source): Promise<Buffer | null> => drawTurntable(source);
