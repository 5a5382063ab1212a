import { JsonNumber } from '@hone/client';

import { LANGUAGES } from '../../../shared/request-code/request-code.js';
import { doorOf } from '../doors/doors.js';

const HOSTILE = `it's "$HOME" \`id\` \\ \n {{x}} \u0000`;
const chat = {
  model: 'm',
  messages: [{ role: 'user', content: HOSTILE }],
  parameters: { temperature: 0, top_k: 3, seed: new JsonNumber('12345678901234567890') },
};
const code = (language: string, door: string, parameters: Record<string, unknown> = chat.parameters) => {
  const { fields } = doorOf(door).toBody({ ...chat, parameters });
  const request = { form: doorOf(door), fields, origin: 'http://hone:8080', projectId: `acme/it's` };
  return LANGUAGES.find(({ name }) => name === language)!.toCode(request);
};

describe('a request as code', () => {
  it('is a command for a shell, in whose words nothing is run', () => {
    expect(code('curl', '')).toBe(`curl 'http://hone:8080/v1/chat/completions' \\
  -H "Authorization: Bearer $HONE_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Hone-Project: acme/it'\\''s' \\
  --data-raw '{
  "model": "m",
  "messages": [
    {
      "role": "user",
      "content": "it'\\''s \\"$HOME\\" \`id\` \\\\ \\n {{x}} \\u0000"
    }
  ],
  "temperature": 0,
  "top_k": 3,
  "seed": 12345678901234567890
}'`);
    const message = code('curl', 'messages');
    expect(message).toContain(`-H "x-api-key: $HONE_API_KEY" \\\n  -H 'anthropic-version: 2023-06-01'`);
    expect(message).not.toContain('Bearer');
  });

  it('is Python, with what the SDK does not know beside the rest', () => {
    expect(code('python', 'responses')).toBe(`import os

from openai import OpenAI

client = OpenAI(
    base_url="http://hone:8080/v1",
    api_key=os.environ["HONE_API_KEY"],
    default_headers={"Hone-Project": "acme/it's"},
)
response = client.responses.create(
    model="m",
    input=${JSON.stringify(HOSTILE)},
    temperature=0,
    extra_body={
        "top_k": 3,
        "seed": 12345678901234567890,
    },
)
print(response.output_text)`);
    expect(code('python', '', { logprobs: true, user: null, stop: ['true'], tools: [{ strict: false }] })).toContain(`
    logprobs=True,
    stop=[
        "true",
    ],
    tools=[
        {
            "strict": False,
        },
    ],
)`);
    expect(code('python', 'messages')).toContain('base_url="http://hone:8080",');
  });

  it('is TypeScript, where no key sets a prototype', () => {
    expect(code('typescript', 'messages', { tools: [JSON.parse('{"__proto__": {"a-b": []}}')] }))
      .toBe(`import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({
  baseURL: "http://hone:8080",
  apiKey: process.env.HONE_API_KEY,
  defaultHeaders: { 'Hone-Project': "acme/it's" },
});
const message = await client.messages.create({
  model: "m",
  max_tokens: 1024,
  messages: [
    {
      role: "user",
      content: ${JSON.stringify(HOSTILE)},
    },
  ],
  tools: [
    {
      ['__proto__']: {
        "a-b": [],
      },
    },
  ],
});
console.log(message.content.map((block) => (block.type === 'text' ? block.text : '')).join(''));`);
    expect(code('typescript', '')).toContain('  ...{\n    top_k: 3,\n  },\n});');
  });
});
