import { type TestClient, type TestResponse } from '@hone/testing';
import { describeOpenApi } from '@hone/testing/openapi';

import { createModel } from './models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from './training-app.fixture.js';

/** The model that the documented examples name. */
const MODEL_ID = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';

function addUp(body: Record<string, unknown>): void {
  const { split } = body;
  if (typeof split !== 'object' || split === null || Array.isArray(split)) return;
  const entries = Object.entries(split as Record<string, unknown>);
  const isRight = entries.every(([, share]) => typeof share === 'number' && share > 0 && share <= 1);
  if (isRight) body['split'] = Object.fromEntries(entries.map(([name]) => [name, 1 / entries.length]));
}

const MAX_BASE_LENGTH = 512;

function toKnownBase(body: Record<string, unknown>): void {
  const { base_model: base } = body;
  if (typeof base === 'string' && base !== '' && base.length <= MAX_BASE_LENGTH) body['base_model'] = 'hone-tiny';
}

const isNothingLeft = ({ text }: TestResponse): boolean => text.includes('No call is left to learn from');

/** What a schema cannot ask for: arms that do not contradict each other. */
const isNoSplit = ({ text }: TestResponse): boolean =>
  /should have an arm or a shadow|should have a name of its own|should add up to 1/.test(text);

describe('the OpenAPI document of the training service', () => {
  let training: TrainingApp;
  let client: TestClient;
  afterAll(() => training.close());

  async function makeModelAndData(): Promise<void> {
    const id = await createModel(client, { entity: 'local', project: 'default' });
    await training.sql('UPDATE trainable_models SET id = $1 WHERE id = $2', [MODEL_ID, id]);
    const lines = JSON.stringify({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
    });
    const headers = { 'content-type': 'application/jsonl' };
    await client.post('/v1/preview/artifacts/local/default/sft-1', lines, { headers });
    const pairs = JSON.stringify({ prompt: 'a', chosen: 'b', rejected: 'c' });
    await client.post('/v1/preview/artifacts/local/default/preferences-1', pairs, { headers });
  }

  describeOpenApi(
    async () => {
      training = await startTrainingApp();
      client = training.by(await training.user('tom', { roles: { local: 'writer', acme: 'writer' } }));
      await makeModelAndData();
      return { client, parameters: { model_id: MODEL_ID, alias: 'production' } };
    },
    {
      // Which bases there are is no matter of a schema.
      createTrainableModel: { adjust: toKnownBase },
      deleteCheckpoints: {},
      putCheckpointAlias: { share: 0.5 },
      putAliasSplit: { share: 0.5, isDocumentedRefusal: isNoSplit },
      logTrajectories: {},
      diagnoseTrainingJob: { share: 0.6 },
      diagnoseSftTrainingJob: { share: 0.5 },
      diagnosePreferenceTrainingJob: { share: 0.5 },
      createTrainingJob: { alsoAccepted: [429] },
      createSftTrainingJob: { alsoAccepted: [429] },
      createPreferenceTrainingJob: { alsoAccepted: [429] },
      // There are no calls, and shares that add up to 1 are more than a schema can ask for.
      makeTrainingData: { adjust: addUp, isDocumentedRefusal: isNothingLeft },
    },
  );
});
