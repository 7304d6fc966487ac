import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const embeddingChecks: Check[] = [
  {
    name: 'every vector has the dimension of its model',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('A vector of the model %s has %s bytes instead of %s.', m.name, length(v.vector), m.dimension * 4) as sentence
          from (select model_id, vector from vectors union all select model_id, vector from passage_vectors) v
          join embedding_models m on m.id = v.model_id where length(v.vector) <> m.dimension * 4`,
      ),
  },
];
