import { MessageChannel } from 'node:worker_threads';

import { aRequest, openTestModel, type TestModel } from '../decode/batch/generation.fixture.js';
import type { GenerationRequest } from '../decode/batch/generation-request.js';
import type { FromServing, ServingSettings } from './serve-messages.js';
import type { ServedModels } from './served-models.js';
import { ServingCore } from './serving-core.js';

const LIMITS = { maxRows: 16, maxCacheTokens: 65_536, promptTokensPerTurn: 64 } as ServingSettings;
/** Tokens that are text by themselves. */
const LETTERS = [64, 65, 66];

describe('ServingCore', () => {
  let test: TestModel;

  beforeAll(async () => {
    test = await openTestModel();
  });
  afterAll(() => test.close());

  /**
   * What happens while requests are answered: what the decoder did, and kinds of the events that are posted.
   *
   * @param requests one after the other, each while the decoder computes a step of those before
   */
  async function happens(...requests: GenerationRequest[]): Promise<string[]> {
    const order: string[] = [];
    const waiting = [...requests.entries()];
    let left = requests.length;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { port1: sender, port2: receiver } = new MessageChannel();
    const sendNext = () => {
      const next = waiting.shift();
      if (next !== undefined) sender.postMessage(next);
    };
    const { runner } = test.model;
    const watched = Object.assign(Object.create(runner) as typeof runner, {
      readPrompt: (...given: Parameters<typeof runner.readPrompt>) => {
        order.push('read');
        return runner.readPrompt(...given);
      },
      step: async (...given: Parameters<typeof runner.step>) => {
        const made = await runner.step(...given);
        order.push('step');
        sendNext();
        return made;
      },
    });
    const post = (message: FromServing) => {
      for (const [, event] of message.type === 'updates' ? message.updates : []) {
        if (!('kind' in event)) throw new Error(event.message);
        order.push(event.kind);
        if (event.kind === 'finish' && --left === 0) end();
      }
    };
    const models = { get: async () => ({ ...test.model, runner: watched }) } as unknown as ServedModels;
    const core = new ServingCore(models, LIMITS, post);
    receiver.on('message', ([id, request]: [number, GenerationRequest]) =>
      core.receive({ type: 'generate', id, model: { base: '', checkpoint: null }, request }),
    );
    const running = core.run();
    sendNext();
    await ended;
    core.receive({ type: 'close' });
    await running;
    sender.close();
    return order;
  }

  const letters = (maxTokens: number) => aRequest({ maxTokens, sampling: { allowedTokenIds: LETTERS } });

  it('posts the first text without waiting for the next step of the decoder', async () => {
    expect((await happens(letters(3))).slice(0, 4)).toEqual(['read', 'prompt', 'text', 'step']);
  });

  it('posts the end of an answer at once', async () => {
    expect(await happens(letters(1))).toEqual(['read', 'prompt', 'text', 'finish']);
  });

  it('begins a request that came during a step before the next step', async () => {
    const decoded = (await happens(letters(8), letters(1))).filter((what) => what === 'read' || what === 'step');
    expect(decoded.slice(0, 4)).toEqual(['read', 'step', 'read', 'step']);
  });
});
