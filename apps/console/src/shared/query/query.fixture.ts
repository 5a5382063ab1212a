import fc from 'fast-check';

import { COLUMNS, FEEDBACK_VALUES, VALUE_COLUMNS } from './fields.js';
import { COMPARISONS, type Literal, type Path, type Query } from './query.js';

const aText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '"',
    "'",
    '\\',
    '\n',
    'and',
    'null',
    '<script>',
    '\u202eمرحبا',
    '👩‍👩‍👧',
    '__proto__',
    'a.b',
    'a\\.b',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const aKey = aText.filter((key) => !key.endsWith('\\') && key.isWellFormed() && !key.includes('\0'));
const aValue = aText.filter((text) => text.isWellFormed() && !text.includes('\0'));
const aPath: fc.Arbitrary<Path> = fc.oneof(
  fc.constantFrom<Path>(['status'], ['latency_ms'], ['name'], ['user']),
  fc.constantFrom(...COLUMNS.filter((name) => !/_at$/.test(name)).map((name) => [name])),
  fc
    .tuple(fc.constantFrom(...VALUE_COLUMNS), fc.array(aKey, { minLength: 1, maxLength: 4 }))
    .map(([column, keys]) => [...[column, ...keys]]),
);
const aNumber = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }));
const aLiteral: fc.Arbitrary<Literal> = fc.oneof(
  aValue,
  aNumber.map((number) => (Object.is(number, -0) ? 0 : number)),
  fc.boolean(),
);
const aCondition: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    ...{
      kind: fc.constant('compare' as const),
      path: aPath,
      operator: fc.constantFrom(...COMPARISONS),
      value: aLiteral,
    },
  }),
  fc.record({
    ...{ kind: fc.constant('compare' as const), path: aPath, operator: fc.constantFrom('=' as const, '!=' as const) },
    value: fc.constant(null),
  }),
  fc.record({ kind: fc.constant('contains' as const), path: aPath, text: aValue }),
  fc.record({
    kind: fc.constant('search' as const),
    side: fc.constantFrom('inputs' as const, 'output' as const, null),
    words: aValue.map((text) => `word ${text}`),
  }),
  fc.record({
    kind: fc.constant('in' as const),
    path: aPath,
    values: fc.array(aLiteral, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('exists' as const), path: aPath }),
  fc.record({
    ...{ kind: fc.constant('compare' as const), path: fc.constant<Path>(['model']), value: aKey },
    operator: fc.constantFrom('=' as const, '!=' as const),
  }),
);
const aPlainQuery = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', maxDepth: 5, withCrossShrink: true },
    aCondition,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('query'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), part: tie('query') }),
  ),
})).query;
const aFeedbackPath: fc.Arbitrary<Path> = fc.oneof(
  fc.constantFrom<Path>(['emoji'], ['note'], ['type'], ['creator']),
  fc.tuple(fc.constantFrom(...FEEDBACK_VALUES), aKey).filter(([, key]) => !['detoned', 'note'].includes(key)),
);
const aFeedbackQuery: fc.Arbitrary<Query> = fc.record({
  kind: fc.constant('feedback' as const),
  part: fc.record({
    ...{ kind: fc.constant('compare' as const), path: aFeedbackPath, operator: fc.constantFrom(...COMPARISONS) },
    value: aLiteral,
  }),
});
const aTraceQuery: fc.Arbitrary<Query> = fc.record({
  kind: fc.constant('trace' as const),
  part: fc.oneof(aPlainQuery, aFeedbackQuery),
});
export const aQuery = fc.oneof(
  { weight: 3, arbitrary: aPlainQuery },
  aFeedbackQuery,
  aTraceQuery,
  fc.record({ kind: fc.constant('not' as const), part: aTraceQuery }),
  fc.record({
    kind: fc.constantFrom('and' as const, 'or' as const),
    parts: fc.tuple(aTraceQuery, aPlainQuery, aTraceQuery),
  }),
);
