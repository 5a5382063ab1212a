/**
 * The part of ONNX's own protobuf schema that we write, as protobufjs wants it.
 * Source: `onnx/onnx.proto` of the ONNX project (IR version 10).
 */
const field = (id: number, type: string) => ({ id, type });
const repeated = (id: number, type: string) => ({ id, type, rule: 'repeated' });

export const ONNX_SCHEMA = {
  nested: {
    ModelProto: {
      fields: {
        irVersion: field(1, 'int64'),
        producerName: field(2, 'string'),
        graph: field(7, 'GraphProto'),
        opsetImport: repeated(8, 'OperatorSetIdProto'),
      },
    },
    OperatorSetIdProto: { fields: { domain: field(1, 'string'), version: field(2, 'int64') } },
    GraphProto: {
      fields: {
        node: repeated(1, 'NodeProto'),
        name: field(2, 'string'),
        initializer: repeated(5, 'TensorProto'),
        input: repeated(11, 'ValueInfoProto'),
        output: repeated(12, 'ValueInfoProto'),
      },
    },
    NodeProto: {
      fields: {
        input: repeated(1, 'string'),
        output: repeated(2, 'string'),
        name: field(3, 'string'),
        opType: field(4, 'string'),
        attribute: repeated(5, 'AttributeProto'),
        domain: field(7, 'string'),
      },
    },
    AttributeProto: {
      fields: {
        name: field(1, 'string'),
        f: field(2, 'float'),
        i: field(3, 'int64'),
        s: field(4, 'bytes'),
        ints: repeated(8, 'int64'),
        type: field(20, 'int32'),
      },
    },
    TensorProto: {
      fields: {
        dims: repeated(1, 'int64'),
        dataType: field(2, 'int32'),
        name: field(8, 'string'),
        rawData: field(9, 'bytes'),
        externalData: repeated(13, 'StringStringEntryProto'),
        dataLocation: field(14, 'int32'),
      },
    },
    StringStringEntryProto: { fields: { key: field(1, 'string'), value: field(2, 'string') } },
    ValueInfoProto: { fields: { name: field(1, 'string'), type: field(2, 'TypeProto') } },
    TypeProto: { fields: { tensorType: field(1, 'TensorTypeProto') } },
    TensorTypeProto: { fields: { elemType: field(1, 'int32'), shape: field(2, 'TensorShapeProto') } },
    TensorShapeProto: { fields: { dim: repeated(1, 'DimensionProto') } },
    DimensionProto: {
      oneofs: { value: { oneof: ['dimValue', 'dimParam'] } },
      fields: { dimValue: field(1, 'int64'), dimParam: field(2, 'string') },
    },
  },
};
