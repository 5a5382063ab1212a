import type { JsonSchema } from '../validation/rule.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });

/** An object that has a type, among other members. */
const typed = (
  type: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  description,
  required: ['type', ...required],
  properties: { type: { const: type, description: `What it is: always \`${type}\`.` }, ...properties },
});

const BASE64 = { media_type: text('Its media type.'), data: text('Its bytes in base64.') };

const TEXT = typed('text', 'A text.', { text: text('The text.') });
const IMAGE = typed('image', 'An image, for models that see.', {
  source: {
    description: 'Where it is.',
    anyOf: [
      typed('base64', 'In the request.', BASE64),
      typed('url', 'Elsewhere.', { url: text('Its address, which the upstream reads.') }),
    ],
  },
});
const SEARCH_RESULT = typed('search_result', 'What a search found, given to the model as text.', {
  title: text('Its title.'),
  source: text('Where it was found.'),
  content: { type: 'array', items: TEXT, description: 'What it says.' },
});
const OPTIONAL_TEXT = { type: ['string', 'null'] };
const DOCUMENT = typed(
  'document',
  'A document. A text is given to the model as text, other files as such.',
  {
    source: {
      description: 'What it has in it.',
      anyOf: [
        typed('base64', 'A file.', BASE64),
        typed('text', 'A text.', { data: text('The text.') }),
        typed('content', 'Blocks.', {
          content: {
            description: 'A text, or blocks of text and images.',
            anyOf: [{ type: 'string' }, { type: 'array', items: { anyOf: [TEXT, IMAGE] } }],
          },
        }),
      ],
    },
    title: { ...OPTIONAL_TEXT, description: 'Its title, before it. Absent or null: none.' },
    context: { ...OPTIONAL_TEXT, description: 'What it is about, before it. Absent or null: nothing.' },
  },
  ['source'],
);
const GIVEN = [TEXT, IMAGE, DOCUMENT, SEARCH_RESULT];

const TOOL_RESULT = typed(
  'tool_result',
  'What a tool gave.',
  {
    tool_use_id: text('Id of the call.'),
    content: {
      description: 'A text, or blocks; images and files go into a message of the user. Absent or null: nothing.',
      anyOf: [{ type: 'string' }, { type: 'array', items: { anyOf: GIVEN } }, { type: 'null' }],
    },
    is_error: { type: ['boolean', 'null'], description: 'Whether it failed: the text then begins with `Error`.' },
  },
  ['tool_use_id'],
);
const TOOL_USE = typed(
  'tool_use',
  'A call of a tool, by the assistant.',
  { id: text('Its id.'), name: text('Name of the tool.'), input: { description: 'What the tool gets.' } },
  ['id', 'name'],
);
const THINKING = ['thinking', 'redacted_thinking'].map((type) =>
  typed(type, 'Reasoning of the assistant, which is left out.', {}),
);

/** Turns of a conversation. */
export const MESSAGES_SCHEMA: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['role', 'content'],
    properties: {
      role: { type: 'string', enum: ['user', 'assistant', 'system'], description: 'Who speaks.' },
      content: {
        description: 'A text, or blocks.',
        anyOf: [
          { type: 'string' },
          { type: 'array', items: { anyOf: [...GIVEN, TOOL_USE, TOOL_RESULT, ...THINKING] } },
        ],
      },
    },
  },
};

/** A text, or blocks of text. */
export const SYSTEM_SCHEMA: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'array', items: TEXT }] };

/** Tools of one's own. */
export const MESSAGE_TOOLS_SCHEMA: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      type: { type: ['string', 'null'], enum: ['custom', null], description: 'Absent or null: `custom`.' },
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 128,
        description: 'Its name, different from those of the others.',
      },
      description: { ...OPTIONAL_TEXT, description: 'What it does, for the model. Absent or null: nothing is said.' },
      input_schema: {
        type: ['object', 'null'],
        additionalProperties: true,
        description: 'JSON schema of its input. Absent or null: an object of any content.',
      },
      strict: {
        type: ['boolean', 'null'],
        description:
          'Whether a schema that the model cannot be held to as a whole is refused. Absent or null: false, such keywords are left out.',
      },
    },
  },
};
