import type { Hone } from '@hone/client';

/** The bundled base model, which the embedded engine trains unless a training server has it. */
export const BUNDLED = 'hone-tiny';

/** An engine of this Hone, and the base model that the tour trains on it. */
export interface TourEngine {
  readonly name: string;
  readonly kind: string;
  readonly base: string;
}

/**
 * An engine by its name. The base is the bundled one, or the only one that it trains: the bundled model under a name of
 * its own, so that the embedded engine trains it, too.
 *
 * @throws Error there is none of that name, it trains neither, or it does not answer
 */
export async function findEngine(hone: Hone, name: string): Promise<TourEngine> {
  const { engines } = await hone.training.checkSystem();
  const engine = engines.find((one) => one.name === name);
  if (engine === undefined)
    throw new Error(`Hone has no engine ${name}, but ${engines.map((one) => one.name).join(', ')}.`);
  const { models, kind } = engine;
  const base = models === null || models.includes(BUNDLED) ? BUNDLED : models.length === 1 ? models[0] : undefined;
  if (base === undefined) throw new Error(`The engine ${name} is not the first that has ${BUNDLED}.`);
  if (!engine.reachable) throw new Error(`The engine ${name} does not answer.`);
  return { name, kind, base };
}
