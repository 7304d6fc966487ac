import { type Problem, problem } from '../../platform/problem.ts';

/** Every error a query can have. The code is for programs, the message for people. */
export type QueryErrorCode =
  | 'unterminated_quote'
  | 'empty_value'
  | 'fuzzy_on_filter'
  | 'bad_size_value'
  | 'bad_size_suffix'
  | 'bad_time_value'
  | 'bad_date'
  | 'bad_hash'
  | 'bad_range'
  | 'bad_number'
  | 'bad_meta_key'
  | 'bad_cf_key'
  | 'bad_character'
  | 'unknown_value'
  | 'unknown_kind'
  | 'unknown_group'
  | 'unclosed_parenthesis'
  | 'stray_parenthesis'
  | 'missing_operand'
  | 'words_in_or'
  | 'too_deep'
  | 'too_long'
  | 'too_many_matches';

/** An invalid query: 422 with the position of the error. */
export function queryError(code: QueryErrorCode, position: number, reason: string): Problem {
  return problem('query_invalid', reason, {
    position,
    reason: code,
    errors: [{ loc: ['query', position], msg: reason, type: code }],
  });
}
