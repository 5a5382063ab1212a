/** Path to the offending input: `body`, `query` or `path`, then keys and indexes. */
export type Loc = (string | number)[];

/** One element of the validation error body. */
export interface Issue {
  loc: Loc;
  msg: string;
  type: IssueType;
}

export type IssueType =
  | 'json_invalid'
  | 'json_too_deep'
  | 'missing'
  | 'extra_forbidden'
  | 'enum'
  | 'string_type'
  | 'int_type'
  | 'int_parsing'
  | 'float_type'
  | 'bool_type'
  | 'list_type'
  | 'dict_type'
  | 'string_too_short'
  | 'string_too_long'
  | 'too_short'
  | 'too_many'
  | 'finite_number'
  | 'greater_than'
  | 'greater_than_equal'
  | 'less_than_equal'
  | 'string_pattern_mismatch'
  | 'string_unicode'
  | 'uuid_parsing'
  | 'unsupported_parameter'
  | 'value_error';

/** Most errors that one answer lists. */
export const MAX_ISSUES = 100;

const FIXED_MESSAGES = {
  json_invalid: 'JSON decode error',
  missing: 'Field required',
  extra_forbidden: 'Extra inputs are not permitted',
  string_type: 'Input should be a valid string',
  int_type: 'Input should be a valid integer',
  int_parsing: 'Input should be a valid integer',
  float_type: 'Input should be a valid number',
  bool_type: 'Input should be a valid boolean',
  list_type: 'Input should be a valid list',
  dict_type: 'Input should be a valid object',
  finite_number: 'Input should be a finite number',
  string_unicode: 'String should not contain U+0000 or unpaired surrogates',
  uuid_parsing: 'Input should be a valid UUID',
} as const satisfies Partial<Record<IssueType, string>>;

/** An issue whose sentence never varies. */
export const issue = (type: keyof typeof FIXED_MESSAGES, loc: Loc = []): Issue => ({
  loc,
  msg: FIXED_MESSAGES[type],
  type,
});

export const enumIssue = (values: readonly string[], loc: Loc = []): Issue => ({
  loc,
  msg: `Input should be ${values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')}`,
  type: 'enum',
});

export const tooManyIssue = (max: number, loc: Loc = []): Issue => ({
  loc,
  msg: `List should have at most ${max} ${max === 1 ? 'item' : 'items'}`,
  type: 'too_many',
});

export const tooFewIssue = (min: number, loc: Loc = []): Issue => ({
  loc,
  msg: `List should have at least ${min} ${min === 1 ? 'item' : 'items'}`,
  type: 'too_short',
});

export const patternIssue = (shape: string, loc: Loc = []): Issue => ({
  loc,
  msg: `String should match '${shape}'`,
  type: 'string_pattern_mismatch',
});

export const valueIssue = (sentence: string, loc: Loc = []): Issue => ({ loc, msg: sentence, type: 'value_error' });

export const rangeIssue = (side: 'greater' | 'less', limit: number, loc: Loc = []): Issue => ({
  loc,
  msg: `Input should be ${side} than or equal to ${limit}`,
  type: `${side}_than_equal`,
});

export const aboveIssue = (limit: number, loc: Loc = []): Issue => ({
  loc,
  msg: `Input should be greater than ${limit}`,
  type: 'greater_than',
});

export const lengthIssue = (side: 'short' | 'long', limit: number, loc: Loc = []): Issue => ({
  loc,
  msg: `String should have at ${side === 'short' ? 'least' : 'most'} ${limit} ${limit === 1 ? 'character' : 'characters'}`,
  type: `string_too_${side}`,
});
