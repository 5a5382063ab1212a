import { CallsPageQueryDto, check } from '@hone/contracts';
import { roundsOf } from '@hone/testing/rounds';
import fc from 'fast-check';

import { fromExpression, toExpression } from './expression.js';
import { parseQuery } from './parse.js';
import { printQuery } from './print.js';
import { aQuery } from './query.fixture.js';
import { type Query, QueryError } from './query.js';

const RUNS = roundsOf(300, 'HONE_FUZZ_RUNS');

const HOW_TRACES_ARE_ASKED =
  'After “trace” comes “has” with a condition in parentheses, such as trace has (op_name = "search").';

const HOW_FEEDBACK_IS_ASKED =
  'After “feedback” comes “has” with a condition in parentheses, such as feedback has (emoji = "👎").';

const expressionOf = (text: string) => toExpression(parseQuery(text) as Query);
const field = ($getField: string) => ({ $getField });
const literal = ($literal: unknown) => ({ $literal });

/** The error of a text: its sentence, and what of the text is underlined. */
function faultOf(text: string): [string, string] {
  try {
    parseQuery(text);
  } catch (error) {
    if (error instanceof QueryError) return [error.message, text.slice(error.start, error.end)];
    throw error;
  }
  throw new Error(`${text} is a query`);
}

describe('a query', () => {
  it('reads as the expression of the interface that it says', () => {
    const text =
      'op_name contains "chat" and attributes.user = "x" and summary.usage.total_tokens > 100 and not status = error';
    expect(expressionOf(text)).toEqual({
      $and: [
        { $contains: { input: field('op_name'), substr: literal('chat'), case_insensitive: true } },
        { $eq: [field('attributes.user'), literal('x')] },
        { $gt: [field('summary.usage.total_tokens'), literal(100)] },
        { $not: { $eq: [field('summary.hone.status'), literal('error')] } },
      ],
    });
  });

  it.each([
    [
      'id = a or id = b and id = c',
      { $or: [{ $eq: [field('id'), literal('a')] }, { $and: [expect.anything(), expect.anything()] }] },
    ],
    ['(id = a or id = b) AND id = c', { $and: [{ $or: expect.anything() }, expect.anything()] }],
    ['user in (1, "2", true)', { $in: [field('svc_user_id'), [literal(1), literal('2'), literal(true)]] }],
    ['output."a.b".0 exists', { $convert: { input: field('output.a\\.b.0'), to: 'exists' } }],
    ['search "refund policy"', { $search: { words: literal('refund policy') } }],
    ['not search output', { $not: { $search: { words: literal('output') } } }],
    [
      'search output "a" or search b',
      { $or: [{ $search: { words: literal('a'), input: field('output') } }, expect.anything()] },
    ],
    ['trace has (id = a)', { $traceHas: { $eq: [field('id'), literal('a')] } }],
    [
      'not trace has (id = a and not id = b) and TRACE HAS (search "x" or id = c)',
      {
        $and: [
          { $not: { $traceHas: { $and: [expect.anything(), expect.anything()] } } },
          { $traceHas: { $or: [expect.anything(), expect.anything()] } },
        ],
      },
    ],
    ['feedback has (emoji = "👎")', { $feedbackHas: { $eq: [field('payload.detoned'), literal('👎')] } }],
    [
      'trace has (not FEEDBACK HAS (scorer_ratings.polite < 0.5 and created_at > 2026-01-15))',
      {
        $traceHas: {
          $not: {
            $feedbackHas: {
              $and: [
                { $lt: [field('scorer_ratings.polite'), literal(0.5)] },
                { $gt: [field('created_at'), literal('2026-01-15T00:00:00Z')] },
              ],
            },
          },
        },
      },
    ],
    ['model = gpt-4.1', { $convert: { input: field('summary.usage.gpt-4\\.1'), to: 'exists' } }],
    ['model in (a, b)', { $or: [expect.anything(), expect.anything()] }],
    ['model = null', { $in: [field('summary.usage'), [literal(''), literal('{}')]] }],
    ['thread_id = null', { $not: { $convert: { input: field('thread_id'), to: 'exists' } } }],
    ['started_at >= 2026-01-15', { $gte: [field('started_at'), literal('2026-01-15T00:00:00Z')] }],
    ['latency_ms<=-1.5e3', { $lte: [field('summary.hone.latency_ms'), literal(-1500)] }],
    ["inputs.q != 'it\\'s \\u00e9'", { $not: { $eq: [field('inputs.q'), literal("it's é")] } }],
  ])('%s', (text, expression) => {
    expect(expressionOf(text)).toEqual(expression);
  });

  it('of nothing is none', () => {
    expect(parseQuery('')).toBeNull();
    expect(parseQuery(' \n ')).toBeNull();
  });

  it.each([
    ['nothing = 1', 'There is no field “nothing”.', 'nothing'],
    ['op_name.x = 1', '“op_name” has no values below it.', 'op_name.x'],
    ['op_name contians "chat"', 'Expected one of =, !=, <, <=, >, >=, contains, in, exists.', 'contians'],
    ['search ', 'Expected words, such as "refund policy".', ''],
    ['search "?!"', 'Expected words, such as "refund policy".', '"?!"'],
    ['trace = 1', HOW_TRACES_ARE_ASKED, '='],
    ['trace has id = 1', HOW_TRACES_ARE_ASKED, 'id'],
    ['trace has', HOW_TRACES_ARE_ASKED, ''],
    ['trace has (id = 1', 'Expected “and”, “or” or a closing parenthesis.', ''],
    ['feedback has emoji', HOW_FEEDBACK_IS_ASKED, 'emoji'],
    ['feedback has (op_name = 1)', 'There is no field “op_name”.', 'op_name'],
    ['feedback has (model = 1)', 'There is no field “model”.', 'model'],
    ['feedback has (search = 1)', 'There is no field “search”.', 'search'],
    ['feedback has (type = 1) and emoji = 1', 'There is no field “emoji”.', 'emoji'],
    [Array(5).fill('feedback has (note = 1)').join(' or '), 'A query has “feedback has” at most 4 times.', 'feedback'],
    ['trace has ()', 'Expected the name of a field.', ')'],
    ['trace has (id = 1 or trace has (id = 2))', '“trace has” cannot be within another one.', 'trace'],
    [Array(5).fill('trace has (id=1)').join(' or '), 'A query has “trace has” at most 4 times.', 'trace'],
    [`trace has (${'('.repeat(12)}id = 1`, 'A query has at most 12 levels.', '('],
    ['op_name =', 'Expected a value.', ''],
    ['op_name = and id = 1', 'Expected a value.', 'and'],
    ['id = 1 id = 2', 'Expected “and” or “or”.', 'id'],
    ['(id = 1', 'Expected “and”, “or” or a closing parenthesis.', ''],
    ['id = 1)', 'Expected “and” or “or”.', ')'],
    ['id = "a', 'The closing quote is missing.', '"a'],
    ['id = "\\x"', 'After a backslash come n, t, r, b, f, a quote, a backslash or u and four digits.', '\\x'],
    ['id = ! 1', '“!” stands for nothing here.', '!'],
    ['id in 1', 'After “in” comes a list, such as (1, 2).', '1'],
    ['id in (1, null)', 'A list has no null; use “exists”.', 'null'],
    ['id in ()', 'Expected a value.', ')'],
    ['id > null', 'Nothing is smaller or larger than null.', 'null'],
    [
      'run_step = 12345678901234567890',
      'This number is too large to be exact. In quotes it is compared as text.',
      '12345678901234567890',
    ],
    ['started_at > yesterday', 'Expected a time, such as 2026-01-15T10:00:00Z.', 'yesterday'],
    ['model = 1', 'Expected the name of a model.', '1'],
    ['model contains gpt', '“model” takes =, !=, in and exists.', 'contains'],
    ['id = "\\u0000"', 'A text has no U+0000 and no half of a surrogate pair.', '"\\u0000"'],
    ['inputs."\\ud800" = 1', 'A key has no U+0000 and no half of a surrogate pair.', 'inputs."\\ud800"'],
    [`inputs.${'x'.repeat(1_100)} = 1`, 'A path has at most 1024 characters.', `inputs.${'x'.repeat(1_100)}`],
    [`${'('.repeat(13)}id = 1`, 'A query has at most 12 levels.', '('],
    ['not '.repeat(13) + 'id = 1', 'A query has at most 12 levels.', 'not'],
    [Array(151).fill('id=1').join(' or '), 'A query has at most 150 conditions.', 'id'],
    [`id in (${Array(201).fill('1').join()})`, 'A list has at most 200 values.', '1'],
    ['x'.repeat(5_000), 'A query has at most 4096 characters.', 'x'.repeat(904)],
  ])('%.40s: %s', (text, sentence, underlined) => {
    expect(faultOf(text)).toEqual([sentence, underlined]);
  });

  it('reads as itself, once it is printed', () => {
    fc.assert(
      fc.property(aQuery, (query) => expect(parseQuery(printQuery(query))).toEqual(query)),
      { numRuns: RUNS, examples: [[{ kind: 'not', part: { kind: 'not', part: { kind: 'exists', path: ['id'] } } }]] },
    );
  });

  it('is one that the interface takes', () => {
    const toBody = (query: Query) => ({ project_id: 'a/b', query: { $expr: toExpression(query) } });
    fc.assert(
      fc.property(aQuery, (query) => expect(check(CallsPageQueryDto, toBody(query)).issues).toEqual([])),
      { numRuns: RUNS },
    );
  });

  it('is found again in its expression', () => {
    fc.assert(
      fc.property(aQuery, (query) => {
        const expression = toExpression(query);
        expect(toExpression(fromExpression(expression) as Query)).toEqual(expression);
      }),
      { numRuns: RUNS },
    );
  });

  it('of any text is a query or a fault within the text', () => {
    const word = fc.constantFrom(
      ...[
        'op_name',
        'trace',
        'has',
        'inputs.',
        '"',
        "'",
        '(',
        ')',
        ',',
        'and',
        'not',
        '=',
        '<',
        '!',
        '.',
        ' ',
        '\\',
        '1',
      ],
    );
    const anyText = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        try {
          parseQuery(text);
        } catch (error) {
          const { start, end } = error as QueryError;
          expect(error).toBeInstanceOf(QueryError);
          expect(start >= 0 && start <= end && end <= text.length).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    [{ $size: field('inputs') }],
    [{ $eq: [field('a'), field('b')] }],
    [{ $eq: [literal(1), literal(1)], $and: [] }],
    [{ $and: [] }],
    [null],
    ['x'],
    [{ $in: [field('id'), []] }],
  ])('says nothing of what it cannot say: %j', (expression) => {
    expect(fromExpression(expression)).toBeNull();
  });
});
