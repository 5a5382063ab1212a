import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** An image of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Rows of the large output. */
export const ROWS = 60_000;
/** Words of the large text. */
const WORDS = 60_000;

/** A call of more than 5 MB with hostile content in it, and a chat with images that is as large. */
export async function seedPayloads(hone: Hone, projectId: string): Promise<void> {
  const [entity = '', project = ''] = projectId.split('/');
  const at = new Date().toISOString();
  const call = (id: string, inputs: object, output: unknown) => ({
    ...{ id, op_name: `payload.${id}`, trace_id: id, started_at: at, ended_at: at, attributes: {}, summary: {} },
    ...{ inputs, output },
  });
  const hostile = {
    ['__proto__']: { polluted: true },
    [HOSTILE.word]: HOSTILE.rightToLeft,
    [HOSTILE.script]: HOSTILE.script,
    exact: 12345678901234567890n,
    image: PIXEL,
    text: `${'many words '.repeat(WORDS)}end`,
  };
  const rows = Array.from({ length: ROWS }, (_, index) => ({
    name: `row ${index}`,
    'a.b': [index, { deep: 'x'.repeat(50) }],
  }));
  const content = [
    { type: 'text', text: 'What do you see?' },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
    { type: 'image_url', image_url: { url: '/console/hone.svg' } },
    { type: 'image_url', image_url: { url: 'https://images.example.com/cat.png' } },
    { type: 'image_url', image_url: { url: 'javascript:document.title="taken"' } },
    { type: 'text', text: 'y'.repeat(400_000) },
  ];
  const answer = { choices: [{ message: { role: 'assistant', content: 'A single pixel.' } }] };
  await hone.trace.completeProjectCalls({ entity, project }, {
    batch: [
      call('large', { hostile }, rows),
      call('seen', { messages: [{ role: 'user', content }] }, answer),
      call(
        'small',
        { list: Array.from({ length: 250 }, (_, index) => `item ${index}`), nested: { 'a.b': 'wanted' } },
        null,
      ),
    ],
  } as never);
}
