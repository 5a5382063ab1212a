import { callSchema, locateInTools } from './call-schema.js';

const aTool = (name: string, parameters?: Record<string, unknown>) => ({ name, parameters });

describe('callSchema', () => {
  it('has a name and arguments per tool', () => {
    const city = { type: 'object', properties: { city: { type: 'string' } } };
    expect(callSchema([aTool('a', city), aTool('b')], 'parameters')).toEqual({
      anyOf: [
        {
          type: 'object',
          properties: { name: { const: 'a' }, parameters: city },
          required: ['name', 'parameters'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { name: { const: 'b' }, parameters: { type: 'object' } },
          required: ['name', 'parameters'],
          additionalProperties: false,
        },
      ],
    });
  });

  it('rewrites references to the inserted schema, and leaves data unchanged', () => {
    const parameters = {
      type: 'object',
      properties: {
        $ref: { type: 'string' },
        self: { $ref: '#' },
        list: { type: 'array', items: { $ref: '#/$defs/x' } },
      },
      $defs: { x: { enum: [{ $ref: '#/$defs/y' }] } },
    };
    const { anyOf } = callSchema([aTool('a', parameters)], 'arguments') as { anyOf: { properties: object }[] };
    const base = '#/anyOf/0/properties/arguments';
    expect(anyOf[0]!.properties).toMatchObject({
      arguments: {
        properties: { $ref: { type: 'string' }, self: { $ref: base }, list: { items: { $ref: `${base}/$defs/x` } } },
        $defs: { x: { enum: [{ $ref: '#/$defs/y' }] } },
      },
    });
  });

  it('maps a pointer to the tool and its parameters', () => {
    expect(locateInTools('/anyOf/2/properties/arguments/properties/x')).toEqual({ tool: 2, pointer: '/properties/x' });
    expect(locateInTools('')).toEqual({ tool: 0, pointer: '' });
  });
});
