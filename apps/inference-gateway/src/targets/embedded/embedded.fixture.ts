import { type ChatCompletionRequestDto, combinationIssues } from '@hone/contracts';

import type { AnswerReader, ChatRequest, CompleteAnswer, RunningAttempt } from '../target.js';
import type { TargetFailure } from '../target-failure.js';
import { BUNDLED_MODELS, EmbeddedModels } from './embedded-models.js';
import type { EmbeddedTarget } from './embedded-target.js';

export type Fields = Record<string, unknown> & Partial<ChatCompletionRequestDto>;

export interface ChoiceJson {
  index: number;
  message: { role: string; content: string | null; refusal: null; tool_calls?: CallJson[] };
  logprobs: { content: LogprobJson[] } | null;
  finish_reason: string;
  stop_reason?: string | number;
  token_ids?: number[];
}
export interface CallJson {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}
export interface LogprobJson {
  token: string;
  logprob: number;
  bytes: number[];
  top_logprobs: { token: string; logprob: number; bytes: number[] }[];
}
export interface BodyJson {
  id: string;
  object: string;
  created: number;
  model: string;
  system_fingerprint: string;
  choices: ChoiceJson[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number; prompt_tokens_details: object };
  prompt_logprobs?: (Record<string, { logprob: number; rank: number; decoded_token: string }> | null)[];
  prompt_token_ids?: number[];
}
export interface ChunkJson {
  choices: {
    index: number;
    delta: { role?: string; content?: string | null; tool_calls?: (Partial<CallJson> & { index: number })[] };
    logprobs: { content: LogprobJson[] } | null;
    finish_reason: string | null;
    stop_reason?: string | number;
    token_ids?: number[];
  }[];
  usage?: BodyJson['usage'];
  prompt_token_ids?: number[];
}

/**
 * The bundled model as a target, for one spec file.
 *
 * @param compileMs for one schema; how fast that goes on a busy machine is no matter of most specs
 */
export function useBundledTarget(compileMs = 60_000): () => EmbeddedTarget {
  let models: EmbeddedModels;
  let target: EmbeddedTarget;
  beforeAll(async () => {
    models = new EmbeddedModels({ sources: { bundledDir: BUNDLED_MODELS }, engine: { compileMs } });
    target = await models.target('hone-tiny');
  });
  afterAll(() => models.close());
  return () => target;
}

export function aChatRequest(fields: Fields, changes: Partial<ChatRequest> = {}): ChatRequest {
  const whole = { model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }], ...fields };
  const issues = combinationIssues(whole as ChatCompletionRequestDto);
  if (issues.length > 0) throw new Error(`The request of the spec breaks a rule: ${JSON.stringify(issues)}`);
  return {
    rid: 'r-1',
    body: Buffer.from(JSON.stringify(whole)),
    fields: { ...whole, ...changes.overrides },
    overrides: {},
    isStream: whole.stream === true,
    endpoint: 'chat/completions',
    promptSize: { textBytes: 0, mediaTokens: 0 },
    choices: whole.n ?? 1,
    wantsUsageFrame: !!whole.stream_options && whole.stream_options.include_usage !== false,
    headers: {},
    ...changes,
  };
}

/** Records the calls to a reader, in order. */
export class RecordingReader implements AnswerReader {
  readonly frames: { bytes: Buffer; hasAnswer: boolean }[] = [];
  answer: CompleteAnswer | null = null;
  failure: TargetFailure | null = null;
  readonly ended: Promise<void>;
  private end: () => void = () => undefined;
  private awaited: { count: number; resolve: () => void } | null = null;

  constructor() {
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  onFrames(bytes: Buffer, hasAnswer: boolean): void {
    this.frames.push({ bytes, hasAnswer });
    if (this.awaited && this.frames.length >= this.awaited.count) this.awaited.resolve();
  }

  onComplete(answer: CompleteAnswer): void {
    this.answer = answer;
    this.end();
  }

  onFailure(failure: TargetFailure): void {
    this.failure = failure;
    this.end();
  }

  /** Resolves once so many frames have come. */
  whenFrames(count: number): Promise<void> {
    return new Promise((resolve) => (this.awaited = { count, resolve }));
  }

  get text(): string {
    return Buffer.concat([...this.frames.map(({ bytes }) => bytes), this.answer?.bytes ?? Buffer.alloc(0)]).toString();
  }
}

const LIMITS = { ttftMs: 1, responseMs: 1, stallMs: 1, doneGraceMs: 1 };

export function dispatch(
  target: EmbeddedTarget,
  request: ChatRequest,
): { run: RunningAttempt; reader: RecordingReader } {
  const reader = new RecordingReader();
  return { run: target.dispatch({ request, number: 1, limits: LIMITS }, reader), reader };
}

/** The whole answer to a request. @throws its failure */
export async function ask(target: EmbeddedTarget, fields: Fields, changes?: Partial<ChatRequest>): Promise<BodyJson> {
  const { reader } = dispatch(target, aChatRequest(fields, changes));
  await reader.ended;
  if (reader.failure) throw Object.assign(new Error(reader.failure.message), reader.failure);
  return JSON.parse(reader.text) as BodyJson;
}

/** The chunks of a streamed answer. @throws its failure */
export async function stream(target: EmbeddedTarget, fields: Fields): Promise<ChunkJson[]> {
  const { reader } = dispatch(target, aChatRequest({ ...fields, stream: true }));
  await reader.ended;
  if (reader.failure) throw Object.assign(new Error(reader.failure.message), reader.failure);
  return toChunks(reader.text);
}

export function toChunks(text: string): ChunkJson[] {
  const frames = text.split('\n\n');
  expect(frames.slice(-2)).toEqual(['data: [DONE]', '']);
  return frames.slice(0, -2).map((frame) => JSON.parse(frame.slice('data: '.length)) as ChunkJson);
}

/** A streamed choice put together again, as the whole answer has it. */
export function joined(chunks: ChunkJson[], index = 0) {
  const parts = chunks.flatMap(({ choices }) => choices).filter((choice) => choice.index === index);
  const calls: { name: string; arguments: string }[] = [];
  for (const call of parts.flatMap(({ delta }) => delta.tool_calls ?? [])) {
    const known = (calls[call.index] ??= { name: '', arguments: '' });
    known.name += call.function?.name ?? '';
    known.arguments += call.function?.arguments ?? '';
  }
  const logprobs = parts.flatMap((part) => part.logprobs?.content ?? []);
  const end = parts.at(-1);
  return {
    content: parts.map(({ delta }) => delta.content ?? '').join(''),
    calls,
    logprobs,
    ids: parts.flatMap((part) => part.token_ids ?? []),
    finish_reason: end?.finish_reason,
    stop_reason: end?.stop_reason,
  };
}

/** The same of a choice of a whole answer. */
export function ofWhole({ message, logprobs, token_ids: ids, finish_reason, stop_reason }: ChoiceJson) {
  return {
    content: message.content ?? '',
    calls: (message.tool_calls ?? []).map((call) => ({ ...call.function })),
    logprobs: logprobs?.content ?? [],
    ids: ids ?? [],
    finish_reason,
    stop_reason,
  };
}

export const said = (content: string) => [{ role: 'user', content }];

const aTool = (name: string, properties: Record<string, string>) => ({
  type: 'function' as const,
  function: {
    name,
    description: name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
      required: Object.keys(properties),
    },
  },
});

export const WEATHER = aTool('get_weather', { city: 'string' });
export const TIMER = aTool('set_timer', { minutes: 'integer' });
