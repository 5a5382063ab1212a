import type { HoneClient } from './hone-client.js';

const BASE_MODEL = 'hone-tiny';

interface SystemCheck {
  readonly engines: readonly { name: string; kind: string; reachable: boolean; models: string[] | null }[];
}

/**
 * A sentence on the engine that trains the bundled model.
 *
 * @throws Error it is another one, or does not answer
 */
export async function describeEngine(client: HoneClient, name: string): Promise<string> {
  const { engines } = await client.get<SystemCheck>('/v1/system-check');
  const engine = engines.find((one) => one.name === name);
  if (engine === undefined)
    throw new Error(`Hone has no engine ${name}, but ${engines.map((one) => one.name).join(', ')}.`);
  if (engine.models !== null && !engine.models.includes(BASE_MODEL)) {
    throw new Error(`The engine ${name} is not the first that has ${BASE_MODEL}.`);
  }
  if (!engine.reachable) throw new Error(`The engine ${name} does not answer.`);
  return `${BASE_MODEL} is trained on ${name} (${engine.kind}).`;
}
