import { FLOAT32, INT64, outputMessage, requestMessage } from './tinker-schema.js';

/** A sequence in the form of the protocol: inputs, and the token that each position is to predict. */
export interface Datum {
  /** `[positions]` */
  readonly tokens: Int32Array;
  /** `[positions]`, shifted by one. */
  readonly targets: Int32Array;
  /** By the names of the protocol, `[positions]` each. */
  readonly values: Readonly<Record<string, Float32Array>>;
}

/** A request for log-probabilities, or for those and the gradient of a loss. */
export interface ForwardBackwardRequest {
  readonly modelId: string;
  /** Position among the requests of the model: 1, 2, 3, … */
  readonly seqId: number;
  readonly data: readonly Datum[];
  readonly lossFn: 'cross_entropy' | 'cispo';
  readonly lossFnConfig?: Readonly<Record<string, number>>;
  readonly forwardOnly: boolean;
}

export interface ForwardBackwardOutput {
  /** Log-probability of each target, `[positions]` for each sequence. */
  readonly logprobs: readonly Float32Array[];
  readonly metrics: Readonly<Record<string, number>>;
}

/** An answer is not what the request asks for. */
export class WireFormatError extends Error {}

export function encodeRequest({ data, ...request }: ForwardBackwardRequest): Uint8Array {
  return requestMessage()
    .encode({ ...request, data: data.map(toDatum) })
    .finish();
}

const toDatum = ({ tokens, targets, values }: Datum) => ({
  modelInput: [{ encodedText: { tokens: bytesOf(tokens) } }],
  lossFnInputs: {
    target_tokens: { dense: bytesOf(toInt64(targets)), dtype: INT64, shape: [targets.length] },
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        { dense: bytesOf(value), dtype: FLOAT32, shape: [value.length] },
      ]),
    ),
  },
});

/** Ids as halves of int64, the upper ones 0. */
function toInt64(ids: Int32Array): Int32Array {
  const halves = new Int32Array(2 * ids.length);
  ids.forEach((id, at) => (halves[2 * at] = id));
  return halves;
}

/** Little-endian on every machine that Node.js runs on. */
const bytesOf = (array: Int32Array | Float32Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

interface OutputFields {
  lossFnOutputs?: { fields?: Record<string, { data?: Uint8Array; offsets?: Uint8Array; dtype?: number }> }[];
  metrics?: Record<string, number>;
}

/**
 * @param lengths positions of each sequence that was sent
 * @throws WireFormatError
 */
export function decodeOutput(bytes: Uint8Array, lengths: readonly number[]): ForwardBackwardOutput {
  let output: OutputFields;
  try {
    output = outputMessage().decode(bytes) as unknown as OutputFields;
  } catch (error) {
    throw new WireFormatError('the answer is not the protobuf message that it should be', { cause: error });
  }
  const fields = output.lossFnOutputs?.[0]?.fields ?? {};
  if (!Object.hasOwn(fields, 'logprobs')) throw new WireFormatError('the answer has no log-probabilities');
  const { data = new Uint8Array(), offsets = new Uint8Array(), dtype } = fields['logprobs'] ?? {};
  if (dtype !== FLOAT32) throw new WireFormatError('the log-probabilities are not float32');
  return { logprobs: slices(data, offsets, lengths), metrics: { ...output.metrics } };
}

/** Copies, since the parts of a message are not aligned. */
function slices(data: Uint8Array, offsets: Uint8Array, lengths: readonly number[]): Float32Array[] {
  if (offsets.byteLength !== 8 * (lengths.length + 1)) {
    throw new WireFormatError(`the answer is not for ${lengths.length} sequences`);
  }
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.byteLength);
  return lengths.map((length, at) => {
    const [start, end] = [Number(view.getBigInt64(8 * at, true)), Number(view.getBigInt64(8 * at + 8, true))];
    if (start < 0 || end - start !== 4 * length || end > data.byteLength) {
      throw new WireFormatError(`the log-probabilities of sequence ${at} are not ${length}`);
    }
    return new Float32Array(Uint8Array.from(data.subarray(start, end)).buffer);
  });
}
