export { type App, type AppOptions, admit, createApp } from './app.ts';
export { actorOf, callerOf } from './caller.ts';
export { blockListOf, contains, createAddressReader, plainAddress } from './client-address.ts';
export { asPlainJson } from './plain-json.ts';
export { type EventStream, openEventStream } from './sse.ts';
export { statusOf } from './status.ts';
