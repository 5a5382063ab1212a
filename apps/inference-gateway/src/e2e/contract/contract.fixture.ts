import { type RequestOptions, type TestResponse } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { type BodyJson, type ChunkJson, toChunks } from '../../targets/embedded/embedded.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

export const CHAT = '/v1/chat/completions';
export const CAT = { model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }] };

/** Models of the fake upstream that the gateway knows. */
const FAKE_MODELS = ['ok', 'ok+hostile', 'ok+tool-call'];

/** The gateway with the bundled model and one upstream. */
export interface ContractApp extends GatewayApp {
  fake: FakeUpstream;
  /** Sends {@link CAT} with `fields`. */
  ask(fields?: object, options?: RequestOptions): Promise<TestResponse>;
  /** The body of an answer with status 200. */
  answer(fields?: object, options?: RequestOptions): Promise<BodyJson>;
  /** The chunks of a streamed answer. */
  chunks(fields?: object, options?: RequestOptions): Promise<ChunkJson[]>;
}

/** Content of the upstreams file of {@link startContractApp}. */
export const upstreamsOf = (fake: FakeUpstream, more: object = {}, ...others: object[]): object => ({
  upstreams: [
    {
      name: 'fake',
      kind: 'openai-compatible',
      base_url: fake.baseUrl,
      dialect: 'vllm',
      models: FAKE_MODELS.map((name) => ({ name, context_length: 1_024 })),
    },
    ...others,
  ],
  ...more,
});

/** @param others upstreams beside it */
export async function startContractApp(
  more: { limits?: object; [key: string]: unknown } = {},
  ...others: object[]
): Promise<ContractApp> {
  const fake = await FakeUpstream.start({ name: 'f' });
  // Compile times on a busy machine are not tested here.
  const limits = { compile_ms: 60_000, ...more.limits };
  const gateway = await startGatewayApp(upstreamsOf(fake, { ...more, limits }, ...others));
  const ask = (fields: object = {}, options?: RequestOptions) =>
    gateway.caller.post(CHAT, { ...CAT, ...fields }, options);
  return {
    ...gateway,
    fake,
    ask,
    answer: async (fields, options) => {
      const { status, text, json } = await ask(fields, options);
      if (status !== 200) throw new Error(`${status} to ${JSON.stringify(fields).slice(0, 500)}: ${text}`);
      return json() as BodyJson;
    },
    chunks: async (fields, options) => toChunks((await ask({ ...fields, stream: true }, options)).text),
    close: async () => {
      await gateway.close();
      await fake.stop();
    },
  };
}

/** `field type` of each issue of a 422, in order. */
export function issuesOf({ status, text, json }: TestResponse): string[] {
  if (status !== 422) throw new Error(`It should be 422, and is ${status}: ${text.slice(0, 500)}`);
  const { detail, error } = json() as { detail: { loc: unknown[]; type: string }[]; error: { type: string } };
  expect(error.type).toBe('invalid_request_error');
  return detail.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

export const said = (content: string) => [{ role: 'user', content }];
export const textOf = ({ choices }: BodyJson, index = 0): string => choices[index]?.message.content ?? '';

/** Every field of the interface with the value that it lists as its default; stream_options needs a stream. */
export const LISTED_DEFAULTS = {
  frequency_penalty: 0,
  logprobs: false,
  top_logprobs: 0,
  n: 1,
  presence_penalty: 0,
  seed: 0,
  stop: [],
  stream: false,
  tool_choice: 'none',
  include_reasoning: true,
  parallel_tool_calls: true,
  use_beam_search: false,
  length_penalty: 1,
  stop_token_ids: [],
  include_stop_str_in_output: false,
  ignore_eos: false,
  min_tokens: 0,
  skip_special_tokens: true,
  spaces_between_special_tokens: true,
  truncate_prompt_tokens: 4_611_686_018_427_388_000,
  echo: false,
  add_generation_prompt: true,
  continue_final_message: false,
  add_special_tokens: false,
  structured_outputs: {
    disable_fallback: false,
    disable_any_whitespace: false,
    disable_additional_properties: false,
    _backend_was_auto: false,
  },
  priority: 0,
  return_tokens_as_token_ids: true,
  return_token_ids: true,
  repetition_detection: { max_pattern_size: 0, min_pattern_size: 0, min_count: 0 },
};

/** Fields of the interface that list no default. */
export const WITHOUT_DEFAULT = [
  'models',
  'fallbacks',
  ...['logit_bias', 'max_tokens', 'max_completion_tokens', 'response_format', 'stream_options', 'temperature', 'top_p'],
  ...['tools', 'user', 'top_k', 'min_p', 'repetition_penalty', 'prompt_logprobs', 'allowed_token_ids', 'bad_words'],
  ...['documents', 'chat_template', 'chat_template_kwargs', 'mm_processor_kwargs', 'request_id', 'cache_salt'],
  ...['kv_transfer_params', 'engine_xargs', 'functions', 'function_call', 'metadata', 'prompt'],
];
