/** The sandbox task that draws a model from all around: the pool imports this module in its children. */
import type { Source } from '../contract.ts';
import { drawTurntable } from '../render/turntable.ts';

export default (source: Source): Promise<Buffer | null> => drawTurntable(source);
