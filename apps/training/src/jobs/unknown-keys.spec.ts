import { parseJson, RlJobCreateDto, SftJobCreateDto } from '@hone/contracts';

import { warnOfUnknownKeys } from './unknown-keys.js';

const sft = (body: string) => warnOfUnknownKeys(SftJobCreateDto, parseJson(body));
const rl = (body: string) => warnOfUnknownKeys(RlJobCreateDto, parseJson(body));

describe('warnOfUnknownKeys', () => {
  it('names the nearest setting', () => {
    expect(sft('{"config":{"learning_rat":1,"batch_size":2,"n_epochs":3,"colour":3}}')).toEqual([
      {
        code: 'config.unknown_key',
        message: 'The setting config.learning_rat is unknown and has no effect.',
        hint: 'Did you mean learning_rate?',
        loc: ['config', 'learning_rat'],
      },
      {
        code: 'config.unknown_key',
        message: 'The setting config.colour is unknown and has no effect.',
        hint: null,
        loc: ['config', 'colour'],
      },
    ]);
  });

  it.each([
    ['{"experimental_config":{"lr":1}}', 'Did you mean learning_rate?'],
    ['{"experimental_config":{"learningRate":1}}', 'Did you mean learning_rate?'],
    ['{"experimental_config":{"kl_penalty_coeff":1}}', 'Did you mean kl_penalty_coef?'],
    ['{"learning_rate":1}', 'Put it at experimental_config.learning_rate.'],
    ['{"experimental_confg":{}}', 'Did you mean experimental_config?'],
    ['{"experimental_config":{"colour":1}}', null],
  ])('says of %s: %s', (body, hint) => {
    expect(rl(body).map((warning) => warning.hint)).toEqual([hint]);
  });

  it.each([
    ['{"config":{"epochs":1}}', 'Did you mean n_epochs?'],
    ['{"config":{"num_train_epochs":1}}', 'Did you mean n_epochs?'],
    ['{"config":{"lr_scheduler_type":"cosine"}}', 'Did you mean lr_schedule?'],
    ['{"config":{"max_gradient_norm":1}}', 'Did you mean max_grad_norm?'],
    ['{"config":{"lora_r":8}}', 'Did you mean config.lora.rank?'],
    ['{"config":{"lora":{"r":8}}}', 'Did you mean rank?'],
    ['{"config":{"target_modules":[]}}', 'Put it at config.lora.target_modules.'],
    ['{"experimental_config":{"seed":1}}', 'Put it at config.seed.'],
  ])('says of %s: %s', (body, hint) => {
    expect(sft(body).map((warning) => warning.hint)).toEqual([hint]);
  });

  it('looks into nested settings, and into those that fine-tuning does not read', () => {
    const body = '{"config":{"metric_logging":{"enable":true}},"experimental_config":{"learning_rate":1}}';
    expect(sft(body).map(({ loc, hint }) => [loc, hint])).toEqual([
      [['config', 'metric_logging', 'enable'], 'Did you mean enabled?'],
      [['experimental_config', 'learning_rate'], 'Put it at config.learning_rate.'],
    ]);
  });

  it('finds nothing in known settings, and does not look at trajectories', () => {
    const groups = '[{"trajectories":[{"reward":1,"exchanges":[]}],"colour":1}]';
    expect(rl(`{"model_id":"x","trajectory_groups":${groups},"experimental_config":{"epsilon":null}}`)).toEqual([]);
    expect(rl('{"experimental_config":null}')).toEqual([]);
  });

  it('stays small and storable, whatever the keys are', () => {
    const keys = Array.from({ length: 500 }, (_, at) => `"${at}\\u0000\\ud800${'x'.repeat(5000)}":1`);
    const warnings = sft(`{"config":{"__proto__":1,"constructor":1,${keys.join()}}}`);
    expect(warnings).toHaveLength(20);
    expect(warnings.slice(0, 4).map(({ loc }) => loc.at(-1))).toEqual(
      expect.arrayContaining(['__proto__', 'constructor', expect.stringMatching(/^\d\ufffd\ufffdx+…$/)]),
    );
    expect(JSON.stringify(warnings).length).toBeLessThan(10_000);
    expect(JSON.stringify(warnings)).not.toMatch(/\\u/);
  });
});
