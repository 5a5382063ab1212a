import { CAT, CHAT, type ContractApp, LISTED_DEFAULTS, startContractApp, WITHOUT_DEFAULT } from './contract.fixture.js';

type Schema = Record<string, unknown> & { properties: Record<string, Record<string, unknown>>; required?: string[] };

/** Listed values that absence does not have. */
const EXAMPLES = ['seed', 'tool_choice', 'return_token_ids', 'return_tokens_as_token_ids'];

describe('the documentation of the inference API', () => {
  let gateway: ContractApp;
  let document: {
    paths: Record<string, Record<string, { responses: object }>>;
    components: { schemas: Record<string, Schema> };
  };
  beforeAll(async () => {
    gateway = await startContractApp();
    document = (await gateway.as(undefined).get('/openapi.json')).json();
  });
  afterAll(() => gateway.close());

  it('names its paths and what they answer', () => {
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([CHAT, '/v1/models', '/v1/models/{id}', '/v1/usage', '/v1/gateway']),
    );
    const { responses } = document.paths[CHAT]!.post!;
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', '404', '422', '429', '503']));
    const refs = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(refs.filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
  });

  it('has every field of the interface, each with its listed default', () => {
    const { properties, anyOf } = document.components.schemas.ChatCompletionRequestDto!;
    const isPrompted = {
      properties: { prompt: { type: 'object', description: expect.any(String) as string } },
      required: ['prompt'],
    };
    expect(anyOf).toEqual([{ required: ['messages', 'model'] }, isPrompted]);
    const { structured_outputs: outputs, repetition_detection: repetition, ...flat } = LISTED_DEFAULTS;
    expect(Object.keys(properties).sort()).toEqual(
      ['messages', 'model', ...Object.keys(LISTED_DEFAULTS), ...WITHOUT_DEFAULT].sort(),
    );
    const nested = {
      StructuredOutputsDto: outputs,
      RepetitionDetectionDto: repetition,
      StreamOptionsDto: { include_usage: true, continuous_usage_stats: false },
    };
    for (const [name, defaults] of Object.entries({ ChatCompletionRequestDto: flat, ...nested })) {
      for (const [field, value] of Object.entries(defaults)) {
        const schema = document.components.schemas[name]!.properties[field]!;
        const shown = EXAMPLES.includes(field)
          ? { example: value, description: expect.any(String) }
          : { default: value };
        expect({ field, ...schema }).toMatchObject({ field, 'x-listed-default': value, ...shown });
        expect('default' in schema && 'example' in schema).toBe(false);
      }
    }
    for (const field of WITHOUT_DEFAULT) expect(properties[field]).not.toHaveProperty('x-listed-default');
  });

  it('has defaults that change nothing when a client sends them', async () => {
    const { properties } = document.components.schemas.ChatCompletionRequestDto!;
    const defaults = Object.fromEntries(
      Object.entries(properties).flatMap(([field, schema]) => ('default' in schema ? [[field, schema.default]] : [])),
    );
    const [plain, sent] = [await gateway.ask({ temperature: 0 }), await gateway.ask({ temperature: 0, ...defaults })];
    const anonymous = ({ text }: { text: string }) => text.replace(/"id":"[^"]*"|"created":\d+/g, '');
    expect(anonymous(sent)).toBe(anonymous(plain));
    expect(Object.keys(defaults).length).toBeGreaterThan(20);
  });

  it('shows every field that an answer has', async () => {
    const body = (
      await gateway.caller.post(CHAT, {
        ...CAT,
        logprobs: true,
        top_logprobs: 1,
        prompt_logprobs: 1,
        return_token_ids: true,
      })
    ).json();
    const assertShown = (name: string, value: object) => {
      const { properties, required = [] } = document.components.schemas[name]!;
      expect(Object.keys(value).filter((field) => properties[field] === undefined)).toEqual([]);
      expect(required.filter((field) => !(field in value))).toEqual([]);
    };
    assertShown('ChatCompletionDto', body);
    assertShown('CompletionChoiceDto', body.choices[0]);
    assertShown('CompletionMessageDto', body.choices[0].message);
    assertShown('TokenLogprobDto', body.choices[0].logprobs.content[0]);
    assertShown('CompletionUsageDto', body.usage);
    assertShown('InferenceModelDto', (await gateway.caller.get('/v1/models')).json().data[0]);
    const state = (await gateway.caller.get('/v1/gateway')).json();
    assertShown('GatewayStateDto', state);
    assertShown('GatewayInstanceDto', state.instance);
    assertShown('GatewayRouteDto', state.routes[0]);
    assertShown('GatewayTargetDto', state.targets[0]);
    assertShown('GatewayUpstreamDto', state.upstreams[0]);
    assertShown('InferenceErrorDto', (await gateway.ask({ n: 0 })).json());
  });

  it('is served as a page', async () => {
    const { status, headers } = await gateway.as(undefined).get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  });
});
