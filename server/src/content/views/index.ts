export { createViewCache, type ViewCache } from './cache.ts';
export { viewRoutes } from './routes.ts';
export { textRoutes } from './routes-text.ts';
export { createViewer, type Viewer } from './viewer.ts';
