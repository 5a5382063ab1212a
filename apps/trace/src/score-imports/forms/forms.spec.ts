import { type JsonObject, parseJson } from '@hone/contracts';

import type { EvidenceByName, ReadScore } from '../imported-score.js';
import { readLangfuse } from './langfuse-form.js';
import { readMlflow } from './mlflow-form.js';

const TRACE = 'ab'.repeat(16);
const SPAN = 'cd'.repeat(8);

describe('scores of Langfuse', () => {
  const read = (sent: JsonObject, evidence: EvidenceByName = {}) =>
    readLangfuse({ id: 's', traceId: TRACE, name: 'n', ...sent }, evidence);

  it.each<[JsonObject, unknown]>([
    [{ value: 0.5, dataType: 'NUMERIC' }, 0.5],
    [{ value: 1, dataType: 'BOOLEAN' }, true],
    [{ value: 0, dataType: 'BOOLEAN', stringValue: 'False' }, false],
    [{ value: 'True', dataType: 'boolean' }, true],
    [{ value: 'good', dataType: 'CATEGORICAL' }, 'good'],
    // Version 2 of the API says the label beside its number.
    [{ value: 3, stringValue: 'good', dataType: 'CATEGORICAL' }, 'good'],
    [{ value: '0.25' }, 0.25],
    [{ value: 'fine' }, 'fine'],
    [{ value: true }, true],
  ])('have the value of %j', (sent, value) => expect(read(sent)).toMatchObject({ value, kind: 'score' }));

  it('have numbers as Python writes them', () => {
    expect(read(parseJson('{"value": 1.0, "dataType": "BOOLEAN"}') as JsonObject)).toMatchObject({ value: true });
    expect(read(parseJson('{"value": 1.0}') as JsonObject)).toMatchObject({ value: 1 });
  });

  it.each<[JsonObject, string]>([
    [{ value: 'much', dataType: 'NUMERIC' }, 'The value should be of the data type.'],
    [{ value: 2, dataType: 'BOOLEAN' }, 'The value should be of the data type.'],
    [{ dataType: 'CATEGORICAL' }, 'The value should be of the data type.'],
    [{ value: {} }, 'The value should be of the data type.'],
    [
      { value: 1, dataType: 'COLOUR' },
      'The data type should be one of NUMERIC, BOOLEAN, CATEGORICAL, TEXT, CORRECTION.',
    ],
    [{ value: 1, name: '' }, 'A score should have a name of 1 to 200 characters.'],
    [{ value: 1, traceId: null, sessionId: 'x' }, 'A score of a session or a dataset run is of no call.'],
  ])('are none where %j', (sent, problem) => expect(read(sent)).toEqual({ id: 's', problem }));

  it.each<[JsonObject, EvidenceByName, string]>([
    [{ source: 'ANNOTATION' }, {}, 'human'],
    [{ source: 'EVAL' }, {}, 'judge'],
    [{ source: 'API' }, {}, 'check'],
    [{}, {}, 'check'],
    [{ source: 'API', metadata: { evidence: 'human' } }, {}, 'human'],
    [{ source: 'API', metadata: { evidence: 'angel' } }, {}, 'check'],
    [{ source: 'EVAL' }, { n: 'human' }, 'human'],
  ])('of %j are evidence, as the request says %j, of kind %s', (sent, names, evidence) =>
    expect(read({ value: 1, ...sent }, names)).toMatchObject({ evidence }),
  );

  it('are about the observation of a trace, whichever version of the API says so', () => {
    expect(read({ value: 1, observationId: SPAN })).toMatchObject({ traceId: TRACE, spanId: SPAN });
    const subject = { kind: 'observation', id: SPAN, traceId: TRACE };
    expect(read({ value: 1, traceId: null, subject })).toMatchObject({ traceId: TRACE, spanId: SPAN });
    expect(read({ value: 1, traceId: null, subject: { kind: 'trace', id: TRACE } })).toMatchObject({ traceId: TRACE });
    expect(read({ value: 1, traceId: null, subject: { kind: 'session', id: 'x' } })).toHaveProperty('problem');
  });

  it('have columns of CSV files whatever their case, with objects as texts', () => {
    const row = {
      ID: 'x',
      'Trace ID': TRACE,
      Observation_Id: '',
      Name: 'n',
      Value: '1',
      'Data Type': 'BOOLEAN',
      metadata: '{"a":1}',
    };
    expect(readLangfuse(row, {})).toMatchObject({
      id: 'x',
      traceId: TRACE,
      spanId: null,
      value: true,
      metadata: { a: 1 },
    });
  });
});

describe('scores of MLflow', () => {
  const assessment = (more: JsonObject = {}): JsonObject => ({
    ...{ assessment_id: 'a-1', assessment_name: 'correct', trace_id: `tr-${TRACE}` },
    ...{ source: { source_type: 'LLM_JUDGE', source_id: 'gpt-5' }, create_time: '2026-01-15T10:00:00Z' },
    ...{ feedback: { value: 'yes' }, rationale: 'It is.', valid: true, ...more },
  });
  const one = (sent: JsonObject, evidence: EvidenceByName = {}): ReadScore =>
    readMlflow(sent, evidence)[0] as ReadScore;

  it('are assessments of traces and spans, with who judged', () => {
    expect(one(assessment({ span_id: SPAN }))).toEqual({
      ...{ tool: 'mlflow', id: 'a-1', traceId: TRACE, spanId: SPAN, name: 'correct', value: 'yes', kind: 'score' },
      ...{ evidence: 'judge', comment: 'It is.', creator: 'gpt-5', timestamp: '2026-01-15T10:00:00Z', metadata: null },
    });
    for (const [source_type, evidence] of Object.entries({ HUMAN: 'human', CODE: 'check', AI_JUDGE: 'judge' }))
      expect(one(assessment({ source: { source_type } }))).toMatchObject({ evidence });
    expect(one(assessment(), { correct: 'human' })).toMatchObject({ evidence: 'human' });
  });

  it('are expectations, of whichever form', () => {
    const expected = (expectation: JsonObject) => one(assessment({ feedback: null, expectation }));
    expect(expected({ value: 'Berlin' })).toMatchObject({ kind: 'expectation', value: 'Berlin' });
    const value = '{"city": "Berlin"}';
    expect(expected({ serialized_value: { serialization_format: 'JSON_FORMAT', value } })).toMatchObject({
      value: { city: 'Berlin' },
    });
  });

  it('are none that were overridden, or have no value', () => {
    expect(one(assessment({ valid: false }))).toEqual({ id: 'a-1', problem: 'Another assessment overrides it.' });
    expect(one(assessment({ feedback: { error: { error_code: 'X' } } }))).toHaveProperty('problem');
    expect(one(assessment({ trace_id: null }))).toHaveProperty('problem');
  });

  it('are those of a trace, and of a row of an evaluation', () => {
    const info = {
      trace_id: `tr-${TRACE}`,
      assessments: [assessment({ trace_id: null }), assessment({ assessment_id: 'a-2' })],
    };
    expect(readMlflow({ info, data: {} }, {}).map(({ id }) => id)).toEqual(['a-1', 'a-2']);
    expect(readMlflow({ trace: JSON.stringify({ info }) }, {})).toHaveLength(2);
    const row = {
      trace_id: `tr-${TRACE}`,
      'correct/value': 'yes',
      'correct/rationale': 'so',
      'words/value': 'True',
      'gone/value': null,
    };
    expect(readMlflow(row, { words: 'check' })).toMatchObject([
      { id: `tr-${TRACE}/correct`, traceId: TRACE, value: 'yes', comment: 'so', evidence: 'judge' },
      { value: true, evidence: 'check' },
    ]);
    expect(readMlflow({ trace_id: `tr-${TRACE}`, assessments: JSON.stringify([assessment()]) }, {})).toHaveLength(1);
  });
});
