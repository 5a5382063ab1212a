import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type RandomLlama, type RandomLlamaOptions, writeRandomLlama } from '../../model/random-llama.fixture.js';
import { ModelTokenizer } from '../../model/tokenizer/tokenizer.js';
import type { Weights } from '../../tensor.js';
import { PrefixCache } from '../cache/prefix-cache.js';
import type { ConstraintFactory } from '../constraints/constraint.js';
import { toDecoderTensors } from '../graph/decoder-tensors.fixture.js';
import { LlamaDecoder } from '../llama-decoder.js';
import { LlamaRunner } from '../llama-runner.js';
import { PLAIN_SAMPLING, type SamplingSettings } from '../sampling/sampling-settings.js';
import { SamplingBuffers } from '../sampling/token-sampler.js';
import type { FinishEvent, GenerationEvent, PromptEvent, TokenReport } from './generation-event.js';
import { type EndingRules, type GenerationRequest, PLAIN_ENDING } from './generation-request.js';
import { Scheduler, type SchedulerLimits, type SubmittedJob } from './scheduler.js';
import type { ServedModel } from './served-model.js';

export interface TestModel {
  readonly random: RandomLlama;
  readonly model: ServedModel;
  close(): Promise<void>;
}

/** A small random model that can be generated with. @param weights in place of its own */
export async function openTestModel(
  options: RandomLlamaOptions & { prefixTokens?: number; constraints?: ConstraintFactory; contextLength?: number } = {},
  weights?: Weights,
): Promise<TestModel> {
  const directory = await mkdtemp(join(tmpdir(), 'hone-generation-'));
  const random = await writeRandomLlama(directory, options);
  const tokenizer = await ModelTokenizer.read(directory);
  await rm(directory, { recursive: true });
  const { config } = random;
  const contextLength = options.contextLength ?? config.maxPositions;
  const decoder = await LlamaDecoder.open(config, contextLength, 1);
  const base = {
    config,
    contextLength,
    tokenizer: {
      vocabSize: config.vocabSize,
      tokenBytes: (id: number) => tokenizer.tokenBytes(id),
      isSpecial: (id: number) => tokenizer.isSpecial(id),
      incrementalText: tokenizer.incrementalText.bind(tokenizer),
    },
    buffers: new SamplingBuffers(config.vocabSize),
    prefixCache: new PrefixCache(config, options.prefixTokens ?? 0),
    constraints: options.constraints ?? { create: () => Promise.reject(new Error('No constraints here.')) as never },
  };
  const runner = new LlamaRunner(decoder, toDecoderTensors(config, weights ?? random.weights));
  return { random, model: { id: 'base', base, runner }, close: () => decoder.close() };
}

export function aRequest(
  overrides: Partial<Omit<GenerationRequest, 'sampling' | 'ending'>> & {
    sampling?: Partial<SamplingSettings>;
    ending?: Partial<EndingRules>;
  } = {},
): GenerationRequest {
  return {
    promptIds: [264, 267, 72, 105],
    choices: 1,
    maxTokens: 12,
    isReproducible: false,
    text: { skipSpecialTokens: true, spacesBetweenSpecialTokens: true },
    topLogProbabilities: 0,
    promptLogProbabilities: null,
    constraint: null,
    priority: 0,
    cacheSalt: null,
    ...overrides,
    sampling: { ...PLAIN_SAMPLING, ...overrides.sampling },
    ending: { ...PLAIN_ENDING, ignoreEos: true, ...overrides.ending },
  };
}

export interface Answer {
  text: string;
  readonly ids: number[];
  readonly reports: TokenReport[];
  finish: FinishEvent | null;
}

/** A request in a scheduler, with what came of it so far. */
export class Generation {
  readonly events: GenerationEvent[] = [];
  error: Error | null = null;
  private readonly job: SubmittedJob;

  constructor(scheduler: Scheduler, request: GenerationRequest, model: ServedModel) {
    this.job = scheduler.submit(request, model, {
      emit: (event) => this.events.push(event),
      fail: (error) => (this.error = error),
    });
  }

  abort(): void {
    this.job.abort();
  }

  pause(isPaused: boolean): void {
    this.job.pause(isPaused);
  }

  get prompt(): PromptEvent | undefined {
    return this.events.find((event) => event.kind === 'prompt');
  }

  get answers(): Answer[] {
    const answers: Answer[] = [];
    for (const event of this.events) {
      if (event.kind === 'prompt') continue;
      const answer = (answers[event.choice] ??= { text: '', ids: [], reports: [], finish: null });
      if (event.kind === 'finish') answer.finish = event;
      else {
        answer.text += event.text;
        answer.ids.push(...event.ids);
        answer.reports.push(...(event.logProbabilities ?? []));
      }
    }
    return answers;
  }
}

export function aScheduler(limits: Partial<SchedulerLimits> = {}): Scheduler {
  return new Scheduler({ maxRows: 16, maxCacheTokens: 65_536, promptTokensPerTurn: 64, ...limits });
}

/** Turns until nothing is left to do. */
export async function runAll(scheduler: Scheduler): Promise<void> {
  for (;;) {
    const woken = scheduler.whenWoken();
    if (await scheduler.turn()) continue;
    const { rows, waitingJobs } = scheduler.load;
    if (rows + waitingJobs === 0) return;
    await woken;
  }
}

/** One request by itself. */
export async function generateAlone(
  { model }: TestModel,
  overrides: Parameters<typeof aRequest>[0] = {},
): Promise<Generation> {
  const scheduler = aScheduler();
  const generation = new Generation(scheduler, aRequest(overrides), model);
  await runAll(scheduler);
  return generation;
}
