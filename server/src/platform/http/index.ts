export { type App, type AppOptions, requireScope, createApp } from './app.ts';
export { actorOf, callerOf } from './caller.ts';
export { parseBlockList, isInBlockList, createAddressReader, normalizeAddress } from './caller.ts';
export { serializeWithoutSchema } from './app.ts';
export { type EventStream, openEventStream } from './sse.ts';
export { statusOf } from './status.ts';
