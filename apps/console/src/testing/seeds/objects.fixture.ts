import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

/** A prompt of two versions, the newer one as `production`. @returns id of its object, digest of the older version */
export async function seedPrompt(hone: Hone, project_id: string): Promise<{ object: string; older: string }> {
  const object_id = 'greeting';
  const version = (text: string, temperature: number) => ({
    ...{ _type: 'Prompt', _class_name: 'Prompt', _bases: ['Object', 'BaseModel'] },
    ...{ name: 'greeting', content: text, temperature, odd: HOSTILE.script, ['__proto__']: [HOSTILE.rightToLeft] },
  });
  const texts = ['You greet people.\nBe short.\nNever shout.', 'You greet people.\nBe warm and short.\nNever shout.'];
  const digests: string[] = [];
  for (const [index, text] of texts.entries()) {
    const obj = { project_id, object_id, val: version(text, 0.2 + index / 2) };
    digests.push((await hone.trace.createObject({ obj })).digest);
  }
  await hone.trace.setAliases({ object_id }, { project_id, digest: 'v1', aliases: ['production'] });
  await hone.trace.addTags({ object_id, digest: 'v0' }, { project_id, tags: ['reviewed'] });
  return { object: object_id, older: digests[0] as string };
}

/** A prompt of messages with variables, in two versions; `production` names the older one. @returns id of its object */
export async function seedMessagesPrompt(hone: Hone, project_id: string, object_id: string): Promise<string> {
  const version = (system: string) => ({
    ...{ _type: 'MessagesPrompt', _class_name: 'MessagesPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] },
    ...{ name: object_id, description: null, odd: HOSTILE.script, seed: 9007199254740993n },
    messages: [
      { role: 'system', content: `${system} ${HOSTILE.script}` },
      { role: 'user', content: 'repeat: {{word}}' },
    ],
  });
  for (const system of ['You are a parrot.', 'You are a kind parrot of {{owner}}.'])
    await hone.trace.createObject({ obj: { project_id, object_id, val: version(system) } } as never);
  await hone.trace.setAliases({ object_id }, { project_id, digest: 'v0', aliases: ['production'] });
  return object_id;
}
