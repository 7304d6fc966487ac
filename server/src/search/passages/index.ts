export { createPassageProjector } from './projector.ts';
