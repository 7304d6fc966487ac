export { type App, type AppOptions, admit, createApp } from './app.ts';
export { blockListOf, contains, createAddressReader, plainAddress } from './client-address.ts';
export { type ErrorCode, errorCatalogue, type FieldError, fieldProblem, notFound, Problem, problem } from './errors.ts';
export { decodeCursor, encodeCursor, pageOf, pageQuery } from './page.ts';
export { asPlainJson } from './plain-json.ts';
export { covers, type Principal, type RouteScope, type Scope } from './principal.ts';
export { AnyObject, closed, Id, Nothing, nullable, repeated, Time } from './schema-parts.ts';
export { type EventStream, openEventStream } from './sse.ts';
