export { type App, createApp, serializeWithoutSchema } from './app.ts';
export { actorOf, callerOf, createCallerReader } from './caller.ts';
export { recordWrites } from './record-writes.ts';
export { type EventStream, openEventStream } from './sse.ts';
export { statusOf } from './status.ts';
