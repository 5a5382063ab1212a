import { aRequest, openTestModel, type TestModel } from '../decode/batch/generation.fixture.js';

import { ServingCore } from './serving-core.js';
import type { FromServing, ServingSettings } from './serve-messages.js';
import type { ServedModels } from './served-models.js';

const LIMITS = { maxRows: 16, maxCacheTokens: 65_536, promptTokensPerTurn: 64 } as ServingSettings;
/** Tokens that are text by themselves. */
const LETTERS = [64, 65, 66];

describe('ServingCore', () => {
  let test: TestModel;

  beforeAll(async () => {
    test = await openTestModel();
  });
  afterAll(() => test.close());

  /** What happens while one request is answered: ends of the decoder's steps, and kinds of the events that are posted. */
  async function happens(maxTokens: number): Promise<string[]> {
    const order: string[] = [];
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { runner } = test.model;
    const watched = Object.assign(Object.create(runner) as typeof runner, {
      step: async (...given: Parameters<typeof runner.step>) => {
        const made = await runner.step(...given);
        order.push('step');
        return made;
      },
    });
    const post = (message: FromServing) => {
      for (const [, event] of message.type === 'updates' ? message.updates : []) {
        if (!('kind' in event)) throw new Error(event.message);
        order.push(event.kind);
        if (event.kind === 'finish') end();
      }
    };
    const models = { get: async () => ({ ...test.model, runner: watched }) } as unknown as ServedModels;
    const core = new ServingCore(models, LIMITS, post);
    const running = core.run();
    const request = aRequest({ maxTokens, sampling: { allowedTokenIds: LETTERS } });
    core.receive({ type: 'generate', id: 1, model: { base: '', checkpoint: null }, request });
    await ended;
    core.receive({ type: 'close' });
    await running;
    return order;
  }

  it('posts the first text without waiting for the next step of the decoder', async () => {
    expect((await happens(3)).slice(0, 3)).toEqual(['prompt', 'text', 'step']);
  });

  it('posts the end of an answer at once', async () => {
    expect(await happens(1)).toEqual(['prompt', 'text', 'finish']);
  });
});
