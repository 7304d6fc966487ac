import { callerOf } from '../../platform/http/index.ts';
import { Id, nullable, Time } from '../../platform/schemas.ts';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { diagnose } from './diagnose.ts';
import { readableLibrary } from './store.ts';

const Diagnosis = Type.Object(
  {
    library_id: Id,
    path: nullable(Type.Object({ root_path: Type.String(), state: Type.String(), code: nullable(Type.String()), network: Type.Boolean() })),
    runs: Type.Array(
      Type.Object({
        id: Id,
        status: Type.String(),
        scope: Type.String(),
        started_at: Time,
        finished_at: nullable(Time),
        error: nullable(Type.String()),
      }),
    ),
    extract_errors: Type.Object({
      total: Type.Integer(),
      by_kind: Type.Record(Type.String(), Type.Integer()),
      top_messages: Type.Array(Type.Object({ message: Type.String(), count: Type.Integer() })),
    }),
    verdicts: Type.Array(
      Type.Object({
        severity: Type.Enum(['ok', 'info', 'warning', 'error']),
        code: Type.String(),
        title: Type.String(),
        detail: Type.String(),
        actions: Type.Array(Type.String()),
      }),
    ),
  },
  { title: 'LibraryDiagnosis' },
);

export function libraryDiagnosisRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/libraries/:library_id/diagnose',
    {
      config: { scope: 'write' },
      schema: {
        tags: ['libraries'],
        summary: 'What is wrong with a library, and what to do',
        params: Type.Object({ library_id: Id }),
        response: { 200: Diagnosis },
      },
    },
    async (request) => {
      const visibility = await visibilityOf(db, callerOf(request));
      return diagnose(db, visibility, await readableLibrary(db, visibility, request.params.library_id));
    },
  );
}
