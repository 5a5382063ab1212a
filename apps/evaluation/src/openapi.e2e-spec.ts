import { basic, type TestApp } from '@hone/testing';
import { describeOpenApi } from '@hone/testing/openapi';

import { startEvaluation } from './evaluation.fixture.js';

describe('the OpenAPI document of the evaluation service', () => {
  let evaluation: TestApp;
  afterAll(() => evaluation.close());

  describeOpenApi(async () => {
    evaluation = await startEvaluation();
    return { client: evaluation.as(basic('api', evaluation.writer.key)) };
  }, {});
});
