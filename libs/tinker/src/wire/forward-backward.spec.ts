import { decodeOutput, encodeRequest, type ForwardBackwardRequest, WireFormatError } from './forward-backward.js';
import { FLOAT32, INT64, outputMessage, requestMessage } from './tinker-schema.js';

const bytesOf = (array: Float32Array | BigInt64Array | Int32Array) => new Uint8Array(array.buffer);
const REQUEST: ForwardBackwardRequest = {
  modelId: 'model_1',
  seqId: 3,
  data: [
    {
      tokens: Int32Array.of(5, 6),
      targets: Int32Array.of(6, 70_000),
      values: { weights: Float32Array.of(0, 1), advantages: Float32Array.of(0, -2.5) },
    },
  ],
  lossFn: 'cispo',
  lossFnConfig: { clip_low_threshold: 1, clip_high_threshold: 1 },
  forwardOnly: true,
};

const output = (logprobs: object, metrics = {}) =>
  outputMessage()
    .encode({ lossFnOutputs: [{ fields: { logprobs }, numDatums: 2 }], metrics })
    .finish();
const GOOD = {
  data: bytesOf(Float32Array.of(-1, -2, -3)),
  offsets: bytesOf(BigInt64Array.of(0n, 4n, 12n)),
  dtype: FLOAT32,
};

describe('the messages of a pass', () => {
  it('are requests as the protocol has them', () => {
    const decoded = requestMessage().toObject(requestMessage().decode(encodeRequest(REQUEST)), { longs: Number });
    expect(decoded).toMatchObject({
      modelId: 'model_1',
      seqId: 3,
      lossFn: 'cispo',
      lossFnConfig: { clip_low_threshold: 1, clip_high_threshold: 1 },
      forwardOnly: true,
    });
    const [{ modelInput, lossFnInputs }] = decoded['data'];
    expect(Buffer.from(modelInput[0].encodedText.tokens)).toEqual(Buffer.from(bytesOf(Int32Array.of(5, 6))));
    expect(lossFnInputs.target_tokens).toMatchObject({ dtype: INT64, shape: [2] });
    expect(Buffer.from(lossFnInputs.target_tokens.dense)).toEqual(Buffer.from(bytesOf(BigInt64Array.of(6n, 70_000n))));
    expect(Buffer.from(lossFnInputs.advantages.dense)).toEqual(Buffer.from(bytesOf(Float32Array.of(0, -2.5))));
  });

  it('are answers, one array for each sequence', () => {
    const read = decodeOutput(Buffer.from(output(GOOD, { 'skyrl.ai/x': 2 })), [1, 2]);
    expect(read).toEqual({
      logprobs: [Float32Array.of(-1), Float32Array.of(-2, -3)],
      metrics: { 'skyrl.ai/x': 2 },
    });
  });

  it.each<[string, Uint8Array, number[]]>([
    ['no protobuf', Buffer.from([0xff, 0xff, 0xff]), [1]],
    [
      'without log-probabilities',
      outputMessage()
        .encode({ lossFnOutputs: [{ fields: {} }] })
        .finish(),
      [1],
    ],
    ['nothing', new Uint8Array(), [1]],
    ['for fewer sequences', output(GOOD), [1, 2, 1]],
    ['for other lengths', output(GOOD), [2, 1]],
    ['of another type', output({ ...GOOD, dtype: INT64 }), [1, 2]],
    ['past its data', output({ ...GOOD, data: bytesOf(Float32Array.of(-1)) }), [1, 2]],
    ['before its data', output({ ...GOOD, offsets: bytesOf(BigInt64Array.of(-8n, -4n, 4n)) }), [1, 2]],
    ['far away', output({ ...GOOD, offsets: bytesOf(BigInt64Array.of(2n ** 62n, 2n ** 62n + 4n, 12n)) }), [1, 2]],
  ])('are refused when they are %s', (_, bytes, lengths) => {
    expect(() => decodeOutput(bytes, lengths)).toThrow(WireFormatError);
  });
});
