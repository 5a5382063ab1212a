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
