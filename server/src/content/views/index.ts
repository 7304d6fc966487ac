export { createViewCache, type ViewCache } from './cache.ts';
export { viewRoutes } from './http.ts';
export { textRoutes } from './http-text.ts';
export { createViewer, type Viewer } from './viewer.ts';
