import { type AccessRow, ANY_SCOPED_KEY, byKey, describeAuthorisation, type TestApp } from '@hone/testing';

import { startEvaluation } from './evaluation.fixture.js';

const rows: AccessRow<TestApp>[] = [
  {
    route: 'GET /evaluation/scorer-kinds',
    rule: byKey(ANY_SCOPED_KEY),
    request: () => ['get', '/evaluation/scorer-kinds'],
  },
];

describeAuthorisation({ scope: 'trace', scheme: 'bearer', start: startEvaluation, rows });
