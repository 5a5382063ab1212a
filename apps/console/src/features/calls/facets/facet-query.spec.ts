import { parseQuery } from '../../../shared/query/parse.js';
import { printQuery } from '../../../shared/query/print.js';
import type { Query } from '../../../shared/query/query.js';
import { chosenValues, type FacetValue, toggled, without } from './facet-query.js';

const STATUS = ['status'];
const REACTION = 'type = "hone.reaction.1"';
const IN_TRACE = `trace has (feedback has (${REACTION} and emoji = "👍"))`;

function toggle(text: string, ...values: FacetValue[]): string {
  const query = values.reduce((before, value) => toggled(before, STATUS, value), parseQuery(text));
  return query === null ? '' : printQuery(query);
}

describe('a value of a facet', () => {
  it.each([
    ['', ['error'], 'status = "error"'],
    ['', ['error', 'running'], 'status in ("error", "running")'],
    ['', ['error', 'running', 'error'], 'status = "running"'],
    ['', ['error', 'error'], ''],
    ['id = 1', ['error'], 'id = 1 and status = "error"'],
    ['id = 1 or id = 2', ['error'], '(id = 1 or id = 2) and status = "error"'],
    ['summary.hone.status = "error" and id = 1', ['error'], 'id = 1'],
    ['status = 12', ['12'], ''],
    ['status = "error"', [null], 'status = null'],
    ['status = null', ['error'], 'status = "error"'],
    ['status = null', [null], ''],
    ['status != error', ['error'], 'status != "error" and status = "error"'],
  ] as [string, FacetValue[], string][])('%j toggles %j: %j', (text, values, after) => {
    expect(toggle(text, ...values)).toBe(after);
  });

  it.each([
    ['', ['m'], 'trace has (model = "m")'],
    ['id = 1', ['m', 'n'], 'id = 1 and trace has (model in ("m", "n"))'],
    ['trace has (model = "m")', ['m'], ''],
    ['trace has (model = "m")', [null], 'not trace has (model exists)'],
    ['not trace has (model exists)', [null], ''],
    ['not trace has (model exists)', ['m'], 'trace has (model = "m")'],
    ['trace has (op_name = "f")', ['m'], 'trace has (op_name = "f") and trace has (model = "m")'],
    ['model = "m"', ['n'], 'model = "m" and trace has (model = "n")'],
  ] as [string, FacetValue[], string][])('%j toggles %j of the traces: %j', (text, values, after) => {
    const toggle = (query: Query | null, value: FacetValue) => toggled(query, ['model'], value, 'trace');
    const query = values.reduce(toggle, parseQuery(text));
    expect(query === null ? '' : printQuery(query)).toBe(after);
  });

  it.each([
    ['', ['👎'], `trace has (feedback has (${REACTION} and emoji = "👎"))`],
    ['id = 1', ['👎', '👍'], `id = 1 and trace has (feedback has (${REACTION} and emoji in ("👎", "👍")))`],
    [`trace has (feedback has (${REACTION} and emoji = "👎"))`, ['👎'], ''],
    ['trace has (feedback has (emoji = "👎"))', ['👎'], ''],
    ['feedback has (emoji = "👎")', ['👍'], `feedback has (emoji = "👎") and ${IN_TRACE}`],
    ['trace has (id = 1)', ['👍'], `trace has (id = 1) and ${IN_TRACE}`],
    [
      'trace has (feedback has (emoji = "👍" and note = x))',
      ['👍'],
      `trace has (feedback has (emoji = "👍" and note = "x")) and ${IN_TRACE}`,
    ],
  ] as [string, FacetValue[], string][])(
    '%j toggles %j of reactions to calls of the traces: %j',
    (text, values, after) => {
      const toggle = (query: Query | null, value: FacetValue) => toggled(query, ['emoji'], value, 'reaction in trace');
      const query = values.reduce(toggle, parseQuery(text));
      expect(query === null ? '' : printQuery(query)).toBe(after);
    },
  );

  it('is chosen where the whole query is limited to it', () => {
    const chosen = (text: string) => chosenValues(parseQuery(text), STATUS);
    expect(chosen('id = 1 and status in (error, running)')).toEqual(['error', 'running']);
    expect([chosen(''), chosen('status = error or id = 1'), chosen('not status = error')]).toEqual([[], [], []]);
  });

  it('is not among the conditions of the others', () => {
    const query = without(parseQuery('id = 1 and status = error'), STATUS);
    expect(query && printQuery(query)).toBe('id = 1');
  });
});
