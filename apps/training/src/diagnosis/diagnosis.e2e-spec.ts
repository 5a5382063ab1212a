import { addCheckpoints, createModel, loseBase } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const RL = '/v1/preview/training-jobs/diagnose';
const SFT = '/v1/preview/sft-training-jobs/diagnose';

let app: TrainingApp;
let modelId: string;
beforeAll(async () => {
  app = await startTrainingApp();
  modelId = await createModel(app.caller);
});
afterAll(() => app.close());

const answer = (ids: number[], logprobs = ids.map(() => -0.5), prompt = [10, 11]) => ({
  message: { role: 'assistant', content: 'x' },
  finish_reason: 'stop',
  prompt_token_ids: prompt,
  token_ids: ids,
  logprobs: { content: logprobs.map((logprob) => ({ token: 'x', logprob })) },
});
const trajectory = (reward: number, choice: object, more: object = {}) => ({
  reward,
  messages_and_choices: [{ role: 'user', content: 'repeat: cat' }, choice],
  ...more,
});
const diagnose = async (trajectory_groups: object[], model = modelId) => {
  const response = await app.caller.post(RL, { model_id: model, trajectory_groups });
  expect(response.status).toBe(200);
  return response.json();
};
const codesOf = ({ issues }: { issues: { code: string; loc: unknown[] }[] }) =>
  issues.map(({ code, loc }) => [code, loc]);

describe('POST /v1/preview/training-jobs/diagnose', () => {
  it('says what would be trained, and stores nothing', async () => {
    const groups = [{ trajectories: [trajectory(1, answer([12])), trajectory(0, answer([13, 14]))] }];
    const diagnosis = await diagnose(groups);
    expect(diagnosis).toEqual({
      ok: true,
      groups_submitted: 1,
      groups_trainable: 1,
      num_sequences: 1,
      trainable_tokens: 3,
      estimated_seconds: null,
      issues: expect.any(Array),
      trajectories: [
        { group: 0, index: 0, trained_tokens: 1, advantage: expect.closeTo(1, 4), reason: null },
        { group: 0, index: 1, trained_tokens: 2, advantage: expect.closeTo(-1, 4), reason: null },
      ],
    });
    expect(await app.db.client.trainingJob.count()).toBe(0);
  });

  it('reads groups that the body names', async () => {
    const group = { trajectories: [trajectory(1, answer([12])), trajectory(0, answer([13, 14]))] };
    const named = async (...lines: unknown[]) => {
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      const body = { model_id: modelId, training_data_url: `data:,${encodeURIComponent(text)}` };
      return (await app.caller.post(RL, body)).json();
    };
    expect(await named(group)).toEqual(await diagnose([group]));
    expect(codesOf(await named(group, 5))).toEqual([['data.bad_line', ['line', 2]]]);
    const unknown = await app.caller.post(RL, { model_id: modelId, training_data_url: 'hone-artifact:///acme/p/none' });
    expect([unknown.status, unknown.json().code]).toEqual([404, 'artifact.not_found']);
  });

  it('tells what a job would fail of, and where', async () => {
    const bad = [{ trajectories: [trajectory(1, answer([12], [-1, -1])), trajectory(0, answer([13]))] }];
    expect(await diagnose(bad)).toMatchObject({
      ok: false,
      num_sequences: 0,
      issues: expect.arrayContaining([
        {
          code: 'data.logprob_length_mismatch',
          severity: 'error',
          loc: ['trajectory_groups', 0, 'trajectories', 0, 'messages_and_choices', 1],
          message: expect.stringContaining('2 logprobs for 1 token ids'),
          hint: expect.any(String),
        },
      ]),
    });
  });

  it('warns of what would not be trained', async () => {
    const silent = { ...answer([12]), logprobs: null };
    const diagnosis = await diagnose([
      { trajectories: [trajectory(0, answer([12])), trajectory(0, answer([13]))] },
      { trajectories: [trajectory(1, answer([12])), trajectory(6, silent), { reward: 9 }] },
    ]);
    expect(codesOf(diagnosis)).toEqual(
      expect.arrayContaining([
        ['zero_advantage', ['trajectory_groups', 0]],
        ['no_logprobs', ['trajectory_groups', 1, 'trajectories', 1]],
        ['no_choice', ['trajectory_groups', 1, 'trajectories', 2]],
      ]),
    );
  });

  it('warns of samples of an older checkpoint, and of prompts that the template would write otherwise', async () => {
    const model = await createModel(app.caller);
    await addCheckpoints(app, model, [1, 2]);
    const diagnosis = await diagnose(
      [
        {
          trajectories: [
            trajectory(1, answer([12]), { initial_policy_version: 1 }),
            trajectory(0, answer([13]), { initial_policy_version: 2 }),
          ],
        },
      ],
      model,
    );
    const at = ['trajectory_groups', 0, 'trajectories', 0];
    expect(diagnosis.ok).toBe(true);
    expect(codesOf(diagnosis)).toEqual(
      expect.arrayContaining([
        ['stale_policy', [...at, 'initial_policy_version']],
        ['template_drift', [...at, 'messages_and_choices', 1, 'prompt_token_ids']],
      ]),
    );
    expect(codesOf(diagnosis).filter(([code]) => code === 'stale_policy')).toHaveLength(1);
  });

  it('says that there is no trajectory', async () => {
    for (const groups of [[], [{}], [{ trajectories: [] }]]) {
      const diagnosis = await diagnose(groups);
      expect(codesOf(diagnosis)).toContainEqual(['data.no_trajectories', ['trajectory_groups']]);
    }
  });

  it('says that there is no such base model', async () => {
    const model = await createModel(app.caller);
    await loseBase(app, model, 'nobody/knows-it');
    expect(await diagnose([], model)).toMatchObject({ ok: false, issues: [{ severity: 'error', loc: [] }] });
  });

  it('checks its body and its caller as the job would be', async () => {
    const bad = await app.caller.post(RL, {
      model_id: modelId,
      trajectory_groups: [{ trajectories: [{ reward: '1' }] }],
    });
    expect([bad.status, bad.json().detail]).toMatchObject([422, [{ type: 'float_type' }]]);
    const reader = app.by(await app.user('diagnosis-reader', { roles: { acme: 'reader' } }));
    expect((await reader.post(RL, { model_id: modelId, trajectory_groups: [] })).status).toBe(403);
  });
});

describe('POST /v1/preview/sft-training-jobs/diagnose', () => {
  const line = JSON.stringify({
    messages: [
      { role: 'user', content: 'repeat: cat' },
      { role: 'assistant', content: 'cat' },
    ],
  });
  const diagnoseLines = async (lines: string[], config: object | null = null) => {
    const training_data_url = `data:,${encodeURIComponent(lines.join('\n'))}`;
    return (await app.caller.post(SFT, { model_id: modelId, training_data_url, config })).json();
  };

  it('says how many steps the lines are', async () => {
    const config = { batch_size: 2, learning_rate: 2e-3 };
    expect(await diagnoseLines([line, line, '', line], config)).toMatchObject({
      ok: true,
      num_sequences: 2,
      trainable_tokens: expect.any(Number),
      issues: [],
      trajectories: [],
    });
  });

  it('points at a bad line, and at a list of learning rates that is too short', async () => {
    const bad = await diagnoseLines([line, line, '{"messages":[]}'], { learning_rate: 2e-3 });
    expect(codesOf(bad)).toEqual([['data.bad_line', ['line', 3]]]);
    expect(await diagnoseLines([line, line], { batch_size: 1, learning_rate: [2e-3] })).toMatchObject({
      ok: false,
      issues: [{ code: 'config.learning_rate_list_length' }],
    });
  });

  it('names the lines that are longer than the context of the model', async () => {
    const long = JSON.stringify({
      messages: [
        { role: 'user', content: 'x'.repeat(20_000) },
        { role: 'assistant', content: 'y' },
      ],
    });
    const diagnosis = await diagnoseLines([line, long], { learning_rate: 2e-3 });
    expect([diagnosis.ok, codesOf(diagnosis)]).toEqual([true, [['too_long', ['line', 2]]]]);
    expect(diagnosis.issues[0]).toMatchObject({
      severity: 'warning',
      message: expect.stringMatching(/more than \d+ tokens, the context of the model/),
      hint: expect.stringContaining('Shorten'),
    });
  });

  it('warns of answers that repeat each other', async () => {
    const lineOf = (question: string, content: string) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', content },
        ],
      });
    const lines = (answers: number) => Array.from({ length: 16 }, (_, n) => lineOf(`question ${n}`, `a${n % answers}`));
    expect(codesOf(await diagnoseLines(lines(4)))).toEqual([['data.narrow', ['training_data_url']]]);
    expect(codesOf(await diagnoseLines(lines(9)))).toEqual([]);
    expect(codesOf(await diagnoseLines(lines(1).slice(1)))).toEqual([]);
  });

  it('trains a conversation that the assistant begins', async () => {
    const greeting = JSON.stringify({ messages: [{ role: 'assistant', content: 'Hello' }] });
    const diagnosis = await diagnoseLines([greeting], { learning_rate: 2e-3 });
    expect([diagnosis.ok, codesOf(diagnosis)]).toEqual([true, []]);
    expect(diagnosis.trainable_tokens).toBeGreaterThan(1);
  });

  it('warns of unknown settings, and of a learning rate that teaches nothing', async () => {
    const diagnosis = await diagnoseLines([line, line], { n_epoch: 3, learning_rate: 5e-5 });
    expect([diagnosis.ok, codesOf(diagnosis)]).toEqual([
      true,
      [
        ['config.learning_rate_low', ['config', 'learning_rate']],
        ['config.unknown_key', ['config', 'n_epoch']],
      ],
    ]);
  });

  it('counts the steps of all epochs, and looks at the validation data', async () => {
    const rate = { learning_rate: 2e-3 };
    const [once, twice] = [await diagnoseLines([line], rate), await diagnoseLines([line], { ...rate, n_epochs: 2 })];
    expect([once.num_sequences, twice.num_sequences]).toEqual([1, 2]);
    expect(twice.trainable_tokens).toBe(once.trainable_tokens * 2);
    const withLines = (lines: string) => ({ ...rate, validation_data_url: `data:,${encodeURIComponent(lines)}` });
    expect(await diagnoseLines([line], withLines(line))).toMatchObject({ ok: true, num_sequences: 1, issues: [] });
    expect(codesOf(await diagnoseLines([line], withLines(`${line}\nx`)))).toEqual([
      ['data.bad_line', ['validation', 'line', 2]],
    ]);
    const elsewhere = await diagnoseLines([line], { ...rate, validation_data_url: 'https://example.com/a.jsonl' });
    expect([elsewhere.ok, elsewhere.num_sequences, codesOf(elsewhere)]).toEqual([
      true,
      1,
      [['data.not_checked', ['config', 'validation_data_url']]],
    ]);
    expect(codesOf(await diagnoseLines([line], { ...rate, validation_fraction: 0.5 }))).toEqual([
      ['data.validation_empty', []],
    ]);
  });

  it('leaves what lies elsewhere to the job', async () => {
    const body = { model_id: modelId, training_data_url: 'https://example.com/a.jsonl' };
    expect((await app.caller.post(SFT, body)).json()).toMatchObject({
      ok: true,
      issues: [{ code: 'data.not_checked', severity: 'warning' }],
    });
  });
});

describe('POST /v1/preview/preference-training-jobs/diagnose', () => {
  const PREFERENCES = '/v1/preview/preference-training-jobs/diagnose';
  const pair = (chosen: unknown, rejected: unknown) => ({ prompt: 'repeat: cat', chosen, rejected });
  const diagnoseLines = async (lines: object[], config: object | null = null) => {
    const training_data_url = `data:,${encodeURIComponent(lines.map((line) => JSON.stringify(line)).join('\n'))}`;
    return (await app.caller.post(PREFERENCES, { model_id: modelId, training_data_url, config })).json();
  };

  it('says how many steps the pairs are, and which lines are left out', async () => {
    const diagnosis = await diagnoseLines([pair('cat', 'dog'), pair('cat', 'cow'), pair('cat', 'cat')], {
      batch_size: 1,
      n_epochs: 1,
    });
    expect(diagnosis).toMatchObject({ ok: true, num_sequences: 2, trainable_tokens: expect.any(Number) });
    expect(codesOf(diagnosis)).toEqual([['equal_answers', ['line', 3]]]);
  });

  it('points at a bad line', async () => {
    const diagnosis = await diagnoseLines([pair('cat', 'dog'), pair('cat', null)]);
    expect([diagnosis.ok, codesOf(diagnosis)]).toEqual([false, [['data.bad_line', ['line', 2]]]]);
  });

  it('warns of answers that are all liked', async () => {
    const liked = { prompt: 'repeat: cat', completion: 'cat', label: true };
    expect(codesOf(await diagnoseLines([liked, liked], { method: 'kto' }))).toEqual([
      ['data.one_sided', ['training_data_url']],
    ]);
  });
});
