import { createRequire } from 'node:module';

import type protobuf from 'protobufjs/light.js';

/**
 * The part of the Tinker protocol's protobuf schema (package `tinker_public`) that training needs, as protobufjs wants
 * it. Source: `tinker_public.proto` of the tinker SDK 0.25.0.
 */
const field = (id: number, type: string) => ({ id, type });
const repeated = (id: number, type: string) => ({ id, type, rule: 'repeated' });
const mapOf = (id: number, type: string) => ({ id, type, keyType: 'string' });

const SCHEMA = {
  nested: {
    ForwardBackwardRequest: {
      fields: {
        modelId: field(1, 'string'),
        seqId: field(2, 'int32'),
        data: repeated(3, 'Datum'),
        lossFn: field(4, 'string'),
        lossFnConfig: mapOf(5, 'double'),
        forwardOnly: field(6, 'bool'),
      },
    },
    Datum: { fields: { modelInput: repeated(1, 'Chunk'), lossFnInputs: mapOf(2, 'Tensor') } },
    Chunk: { fields: { encodedText: field(1, 'EncodedTextChunk') } },
    EncodedTextChunk: { fields: { tokens: field(1, 'bytes') } },
    Tensor: { fields: { dense: field(1, 'bytes'), dtype: field(3, 'int32'), shape: repeated(4, 'int64') } },
    ForwardBackwardOutput: {
      fields: {
        lossFnOutputType: field(1, 'string'),
        lossFnOutputs: repeated(2, 'ArrayRecord'),
        metrics: mapOf(3, 'double'),
      },
    },
    ArrayRecord: { fields: { fields: mapOf(2, 'BatchedTensor'), numDatums: field(3, 'int64') } },
    BatchedTensor: {
      fields: {
        data: field(1, 'bytes'),
        offsets: field(2, 'bytes'),
        dtype: field(3, 'int32'),
        trailingShape: repeated(4, 'int64'),
      },
    },
  },
};

let root: protobuf.Root | undefined;

/** Protobuf is loaded lazily, with the first message: processes without training servers do not need it. */
function typeOf(name: keyof typeof SCHEMA.nested): protobuf.Type {
  root ??= (createRequire(import.meta.url)('protobufjs/light.js') as typeof protobuf).Root.fromJSON(SCHEMA);
  return root.lookupType(name);
}

export const requestMessage = (): protobuf.Type => typeOf('ForwardBackwardRequest');
export const outputMessage = (): protobuf.Type => typeOf('ForwardBackwardOutput');

/** Element types of tensors. */
export const FLOAT32 = 1;
export const INT64 = 2;
