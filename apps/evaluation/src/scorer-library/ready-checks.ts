import type { CheckDto, LibraryScorerDto } from '@hone/contracts';

const EXPECTED = 'inputs.expected';

const ready = (name: string, description: string, check: CheckDto, needs: string[] = []): LibraryScorerDto => ({
  ...{ name, description, needs },
  definition: { kind: 'check', check },
});

/** Checks that most projects can use as they are. */
export const READY_CHECKS: readonly LibraryScorerDto[] = [
  ready(
    'matches expected',
    'Whether the answer is the expected one, whatever its case and the white space around it.',
    { check: 'exact', reference: EXPECTED, ignore_case: true },
    [EXPECTED],
  ),
  ready(
    'contains expected',
    'Whether the expected text stands in the answer, whatever its case.',
    { check: 'contains', reference: EXPECTED, ignore_case: true },
    [EXPECTED],
  ),
  ready(
    'close to expected',
    'Whether at most a fifth of the characters differ from the expected answer.',
    { check: 'edit_distance', reference: EXPECTED, max: 0.2, ignore_case: true },
    [EXPECTED],
  ),
  ready(
    'number as expected',
    'Whether the answer is the expected number, to one part in a thousand.',
    { check: 'numeric', reference: EXPECTED, rel: 0.001 },
    [EXPECTED],
  ),
  ready('valid json', 'Whether the answer is JSON.', { check: 'json_schema', schema: {} }),
  ready('json object', 'Whether the answer is a JSON object. Give the schema the members that yours has.', {
    check: 'json_schema',
    schema: { type: 'object' },
  }),
  ready('in english', 'Whether the answer is English. Needs a sentence or two to tell.', {
    check: 'language',
    language: 'eng',
  }),
  ready('fast', 'Whether the call took at most five seconds.', { check: 'latency', max: 5_000 }),
  ready('short', 'Whether the answer has at most a thousand characters.', {
    check: 'regex',
    pattern: '(?s)^.{0,1000}$',
  }),
];
